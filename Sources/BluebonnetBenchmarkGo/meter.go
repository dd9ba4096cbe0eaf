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

// meter is what the process had used when the measured part began.
type meter struct {
	wallNanoseconds           int64
	cpuSeconds, idleMebibytes float64
}

// measurement is what the measured part took.
type measurement struct {
	seconds, cpuSeconds          float64
	idleMebibytes, peakMebibytes float64
	requests                     int
	bytes                        int64
}

// startWhenQuiet waits until the warm-up has settled, notes the idle memory and starts the clocks.
func startWhenQuiet() meter {
	time.Sleep(200 * time.Millisecond)
	debug.FreeOSMemory()
	idle := statusMebibytes("VmRSS:")
	// Where the kernel refuses, the peak stays that since the start.
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o600)
	return meter{monotonicNanoseconds(), cpuSeconds(), idle}
}

// sinceStart counts from the process's start, at that time of the monotonic clock.
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

// print prints the one JSON line that every client prints.
func (run measurement) print(more string) {
	fmt.Printf(
		`{"seconds":%.9f,"cpuSeconds":%.6f,"requests":%d,"bytes":%d,`+
			`"idleMemoryMebibytes":%.3f,"peakMemoryMebibytes":%.3f%s}`+"\n",
		run.seconds, run.cpuSeconds, run.requests, run.bytes,
		run.idleMebibytes, run.peakMebibytes, more,
	)
}

// monotonicNanoseconds is the clock that the driver reads too, which package time does not show.
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
