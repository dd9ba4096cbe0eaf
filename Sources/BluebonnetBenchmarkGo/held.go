package main

import (
	"fmt"
	"io"
	"net/http"
)

// measureAmongHeld measures requests, one at a time, before and while others are in flight to a
// slow server.
func measureAmongHeld(
	client *http.Client, settings settings, expected int64, request request,
) error {
	meter := startWhenQuiet()
	bytes, err := loop(settings.count, 1, expected, request)
	if err != nil {
		return err
	}
	alone := meter.stop(settings.count, bytes)
	failures := make(chan error, settings.concurrency)
	for held := 0; held < settings.concurrency; held++ {
		go func() {
			response, err := client.Get(settings.file + "/slow")
			if err == nil {
				_, err = io.ReadAll(response.Body)
			}
			failures <- fmt.Errorf("a request that should have stayed in flight ended: %v", err)
		}()
	}
	// The server responds after all held requests have arrived.
	if _, err := get(client, fmt.Sprintf("%s/barrier/%d", settings.file, settings.concurrency)); err != nil {
		return err
	}
	meter = startWhenQuiet()
	bytes, err = loop(settings.count, 1, expected, request)
	if err != nil {
		return err
	}
	among := meter.stop(settings.count, bytes)
	select {
	case err := <-failures:
		return err
	default:
	}
	perTask := (among.idleMebibytes - alone.idleMebibytes) * 1024 / float64(settings.concurrency)
	among.print(fmt.Sprintf(
		`,"memoryPerTaskKibibytes":%.3f,"slowdown":%.4f,"cpuGrowth":%.4f`,
		perTask, among.seconds/alone.seconds, among.cpuSeconds/alone.cpuSeconds,
	))
	return nil
}

func get(client *http.Client, url string) (int64, error) {
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return 0, err
	}
	return perform(client, request, readAll)
}
