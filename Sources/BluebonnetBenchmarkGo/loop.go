package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// loop performs count requests, at most concurrency at a time, and returns the bytes of all bodies.
// Each body must have the expected size, unless that is negative.
func loop(count, concurrency int, expected int64, request request) (int64, error) {
	if concurrency > count {
		concurrency = count
	}
	var started, bytes int64
	var failure atomic.Value
	var workers sync.WaitGroup
	for worker := 0; worker < concurrency; worker++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for atomic.AddInt64(&started, 1) <= int64(count) && failure.Load() == nil {
				size, err := request()
				if err == nil && expected >= 0 && size != expected {
					err = fmt.Errorf("a body of %d bytes instead of %d", size, expected)
				}
				if err != nil {
					failure.Store(fmt.Errorf("%w", err))
					return
				}
				atomic.AddInt64(&bytes, size)
			}
		}()
	}
	workers.Wait()
	if err, ok := failure.Load().(error); ok {
		return 0, err
	}
	return bytes, nil
}
