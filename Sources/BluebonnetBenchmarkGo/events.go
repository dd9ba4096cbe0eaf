package main

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
)

// countEvents prints the number of server-sent events in the response to a GET, found line by line.
func countEvents(url string) error {
	response, err := http.Get(url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	count, data := 0, []string{}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		line := lines.Text()
		if line == "" {
			if len(data) > 0 {
				count++
			}
			data = data[:0]
		} else if strings.HasPrefix(line, "data:") {
			data = append(data, strings.TrimPrefix(line[5:], " "))
		}
	}
	fmt.Println(count)
	return lines.Err()
}
