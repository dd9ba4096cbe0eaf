package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// meter is the resource usage of the process at the start of a measurement.
type meter struct {
	wallNanoseconds           int64
	cpuSeconds, idleMebibytes float64
}

// measurement holds the results of a measurement.
type measurement struct {
	seconds, cpuSeconds          float64
	idleMebibytes, peakMebibytes float64
	requests                     int
	bytes                        int64
}

// startWhenQuiet waits until the warm-up has settled, records the idle memory and starts the
// clocks.
func startWhenQuiet() meter {
	time.Sleep(200 * time.Millisecond)
	debug.FreeOSMemory()
	idle := statusMebibytes("VmRSS:")
	// If the kernel refuses, the peak remains the one since the process started.
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o600)
	return meter{monotonicNanoseconds(), cpuSeconds(), idle}
}

// sinceStart returns a meter for the start of the process, a time of the monotonic clock.
func sinceStart(nanoseconds int64) meter {
	return meter{wallNanoseconds: nanoseconds}
}

func (start meter) stop(requests int, bytes int64) measurement {
	return measurement{
		seconds:       float64(monotonicNanoseconds()-start.wallNanoseconds) / 1e9,
		cpuSeconds:    cpuSeconds() - start.cpuSeconds,
		idleMebibytes: start.idleMebibytes,
		peakMebibytes: statusMebibytes("VmHWM:"),
		requests:      requests,
		bytes:         bytes,
	}
}

// print prints the run as one line of JSON, as every client does.
func (run measurement) print(more string) {
	fmt.Printf(
		`{"seconds":%.9f,"cpuSeconds":%.6f,"requests":%d,"bytes":%d,`+
			`"idleMemoryMebibytes":%.3f,"peakMemoryMebibytes":%.3f%s}`+"\n",
		run.seconds, run.cpuSeconds, run.requests, run.bytes,
		run.idleMebibytes, run.peakMebibytes, more,
	)
}

// monotonicNanoseconds reads the driver's clock, which package time does not expose.
func monotonicNanoseconds() int64 {
	const monotonic = 1
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, monotonic, uintptr(unsafe.Pointer(&now)), 0)
	return now.Nano()
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func statusMebibytes(field string) float64 {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == field {
			kibibytes, _ := strconv.ParseFloat(fields[1], 64)
			return kibibytes / 1024
		}
	}
	return 0
}
