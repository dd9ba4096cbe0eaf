import Glibc

/// A time in UTC in the Gregorian calendar, by the calendar of the C library.
struct UTCTime {
    private var fields = tm()

    var year: Int { Int(fields.tm_year) + 1900 }
    /// The month, from 1.
    var month: Int { Int(fields.tm_mon) + 1 }
    var day: Int { Int(fields.tm_mday) }
    var hour: Int { Int(fields.tm_hour) }
    var minute: Int { Int(fields.tm_min) }
    var second: Int { Int(fields.tm_sec) }

    /// The number of seconds since 1970.
    let seconds: Int

    /// Creates the time of a number of seconds since 1970, for years of at most 32 bits.
    init(seconds: Int) {
        var seconds = seconds
        gmtime_r(&seconds, &fields)
        self.seconds = seconds
    }

    /// Creates a time, in which a day that the month does not have is one of the next month.
    init(
        year: Int32, month: Int32, day: Int32, hour: Int32 = 0, minute: Int32 = 0, second: Int32 = 0
    ) {
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (year - 1900, month - 1, day)
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (hour, minute, second)
        seconds = timegm(&fields)
    }
}
