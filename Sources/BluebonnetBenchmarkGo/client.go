package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// newClient creates a client for all requests, which keeps as many connections as it needs.
func newClient(settings settings) (*http.Client, error) {
	connections := settings.concurrency
	if hosts := hostCount(settings.name); hosts > connections {
		connections = hosts
	}
	transport := &http.Transport{
		MaxIdleConns:        connections + 1,
		MaxIdleConnsPerHost: settings.concurrency + 1,
		DisableCompression:  true,
		ForceAttemptHTTP2:   strings.HasPrefix(settings.name, "small-get-h2-"),
	}
	if strings.HasPrefix(settings.url, "https:") {
		authorities, err := os.ReadFile(settings.file)
		if err != nil {
			return nil, err
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(authorities) {
			return nil, fmt.Errorf("%s contains no certificate", settings.file)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	return &http.Client{Transport: transport}, nil
}

// hostCount returns the number of addresses that replace the URL's host in turn.
func hostCount(name string) int {
	count := 0
	if _, err := fmt.Sscanf(name, "hosts-%d", &count); err != nil {
		return 0
	}
	return count
}
