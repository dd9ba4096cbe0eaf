// The benchmark client for Go's net/http and encoding/json.
//
// Usage: BluebonnetBenchmarkGo CASE URL COUNT CONCURRENCY [FILE]
// or: BluebonnetBenchmarkGo document TYPE FILE COUNT ROUNDS
// or: BluebonnetBenchmarkGo events URL
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "BluebonnetBenchmarkGo:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) > 0 && arguments[0] == "document" {
		return measureDocument(arguments[1:])
	}
	if len(arguments) == 2 && arguments[0] == "events" {
		return countEvents(arguments[1])
	}
	settings, err := parse(arguments)
	if err != nil {
		return err
	}
	client, err := newClient(settings)
	if err != nil {
		return err
	}
	request, err := newRequest(client, settings)
	if err != nil {
		return err
	}
	warmUp, err := loop(1, 1, -1, request)
	if err != nil {
		return err
	}
	switch {
	case settings.name == "first-response":
		start, err := strconv.ParseInt(settings.file, 10, 64)
		if err != nil {
			return err
		}
		sinceStart(start).stop(1, warmUp).print("")
		return nil
	case strings.HasPrefix(settings.name, "slow-"):
		return measureAmongHeld(client, settings, warmUp, request)
	}
	meter := startWhenQuiet()
	bytes, err := loop(settings.count, settings.concurrency, warmUp, request)
	if err != nil {
		return err
	}
	meter.stop(settings.count, bytes).print("")
	return nil
}

type settings struct {
	name, url          string
	count, concurrency int
	// The authorities to trust, the file to write or to send, the slow server's URL, or the start time
	// of the process.
	file string
}

func parse(arguments []string) (settings, error) {
	usage := fmt.Errorf("usage: BluebonnetBenchmarkGo CASE URL COUNT CONCURRENCY [FILE]")
	if len(arguments) < 4 || len(arguments) > 5 {
		return settings{}, usage
	}
	count, countError := strconv.Atoi(arguments[2])
	concurrency, concurrencyError := strconv.Atoi(arguments[3])
	if countError != nil || concurrencyError != nil || count < 1 || concurrency < 1 {
		return settings{}, usage
	}
	result := settings{name: arguments[0], url: arguments[1], count: count, concurrency: concurrency}
	if len(arguments) == 5 {
		result.file = arguments[4]
	}
	return result, nil
}
