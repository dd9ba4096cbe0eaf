package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
)

// A request sends one request and returns the number of bytes of the body.
type request func() (int64, error)

func newRequest(client *http.Client, settings settings) (request, error) {
	get := func(url string) func() (*http.Request, error) {
		return func() (*http.Request, error) { return http.NewRequest("GET", url, nil) }
	}
	build := get(settings.url)
	read := readAll
	switch {
	case strings.HasPrefix(settings.name, "post-"):
		document := document()
		build = func() (*http.Request, error) {
			request, err := http.NewRequest("POST", settings.url, strings.NewReader(document))
			if err == nil {
				request.Header.Set("Content-Type", "application/json")
			}
			return request, err
		}
	case strings.HasPrefix(settings.name, "typed-"):
		read = readPage
	case settings.name == "large-download-1":
		read = func(body io.Reader, _ int64) (int64, error) { return readToFile(body, settings.file) }
	case settings.name == "large-upload-1":
		return func() (int64, error) { return upload(client, settings) }, nil
	case hostCount(settings.name) > 0:
		hosts, started := hostCount(settings.name), int64(0)
		port := settings.url[strings.LastIndex(settings.url, ":"):]
		build = func() (*http.Request, error) {
			host := int(atomic.AddInt64(&started, 1)-1) % hosts
			return get(fmt.Sprintf("http://127.1.%d.%d%s", host/250, host%250+1, port))()
		}
	}
	return func() (int64, error) {
		request, err := build()
		if err != nil {
			return 0, err
		}
		return perform(client, request, read)
	}, nil
}

func perform(
	client *http.Client, request *http.Request, read func(io.Reader, int64) (int64, error),
) (int64, error) {
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return 0, fmt.Errorf("status %d", response.StatusCode)
	}
	return read(response.Body, response.ContentLength)
}

// readAll reads the body into memory, with one exact allocation if the length is known.
func readAll(body io.Reader, length int64) (int64, error) {
	if length < 0 {
		bytes, err := io.ReadAll(body)
		return int64(len(bytes)), err
	}
	bytes := make([]byte, length)
	count, err := io.ReadFull(body, bytes)
	return int64(count), err
}

// readPage returns the number of items, because decoding does not count the bytes.
func readPage(body io.Reader, _ int64) (int64, error) {
	var page page
	err := json.NewDecoder(body).Decode(&page)
	return int64(len(page.Items)), err
}

func readToFile(body io.Reader, path string) (int64, error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return io.Copy(file, body)
}

func upload(client *http.Client, settings settings) (int64, error) {
	file, err := os.Open(settings.file)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	information, err := file.Stat()
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequest("PUT", settings.url, file)
	if err != nil {
		return 0, err
	}
	request.ContentLength = information.Size()
	_, err = perform(client, request, readAll)
	return information.Size(), err
}

// document returns a JSON object of 1 KB, whose content does not matter.
func document() string {
	start, end := `{"id":1042,"name":"Lupinus texensis","notes":"`, `"}`
	return start + strings.Repeat("a", 1024-len(start)-len(end)) + end
}
