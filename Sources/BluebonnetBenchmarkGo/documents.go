package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
)

// The types of the documents match those in Sources/BluebonnetBenchmark/JSON.

type page struct {
	Page  int    `json:"page"`
	Items []item `json:"items"`
}

type item struct {
	ID      int      `json:"id"`
	SKU     string   `json:"sku"`
	Title   string   `json:"title"`
	Price   price    `json:"price"`
	Tags    []string `json:"tags"`
	InStock bool     `json:"in_stock"`
	URL     string   `json:"url"`
}

type price struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
}

type timeline struct {
	Statuses []status `json:"statuses"`
}

type status struct {
	ID            uint64   `json:"id"`
	CreatedAt     string   `json:"created_at"`
	Text          string   `json:"text"`
	Source        string   `json:"source"`
	IsTruncated   bool     `json:"truncated"`
	ReplyTo       *uint64  `json:"in_reply_to_status_id,omitempty"`
	User          user     `json:"user"`
	RetweetCount  int      `json:"retweet_count"`
	FavoriteCount int      `json:"favorite_count"`
	Entities      entities `json:"entities"`
	IsFavorited   bool     `json:"favorited"`
	Language      string   `json:"lang"`
}

type user struct {
	ID             uint64  `json:"id"`
	Name           string  `json:"name"`
	ScreenName     string  `json:"screen_name"`
	Location       string  `json:"location"`
	Description    string  `json:"description"`
	URL            *string `json:"url,omitempty"`
	IsProtected    bool    `json:"protected"`
	FollowersCount int     `json:"followers_count"`
	FriendsCount   int     `json:"friends_count"`
	TimeZone       *string `json:"time_zone,omitempty"`
	IsVerified     bool    `json:"verified"`
	ImageURL       string  `json:"profile_image_url"`
}

type entities struct {
	Hashtags []tag `json:"hashtags"`
}

type tag struct {
	Text    string `json:"text"`
	Indices []int  `json:"indices"`
}

type program struct {
	AreaNames    map[string]string `json:"areaNames"`
	Events       map[string]event  `json:"events"`
	Performances []performance     `json:"performances"`
}

type event struct {
	ID          int     `json:"id"`
	Name        string  `json:"name"`
	Logo        *string `json:"logo,omitempty"`
	TopicIDs    []int   `json:"topicIds"`
	SubjectCode *int    `json:"subjectCode,omitempty"`
}

type performance struct {
	ID             int            `json:"id"`
	EventID        int            `json:"eventId"`
	Start          int            `json:"start"`
	VenueCode      string         `json:"venueCode"`
	Prices         []seatPrice    `json:"prices"`
	SeatCategories []seatCategory `json:"seatCategories"`
}

type seatPrice struct {
	Amount         int `json:"amount"`
	SeatCategoryID int `json:"seatCategoryId"`
}

type seatCategory struct {
	SeatCategoryID int    `json:"seatCategoryId"`
	Areas          []area `json:"areas"`
}

type area struct {
	AreaID   int   `json:"areaId"`
	BlockIDs []int `json:"blockIds"`
}

type region struct {
	Type     string    `json:"type"`
	Features []feature `json:"features"`
}

type feature struct {
	Type       string            `json:"type"`
	Properties map[string]string `json:"properties"`
	Geometry   geometry          `json:"geometry"`
}

type geometry struct {
	Type        string        `json:"type"`
	Coordinates [][][]float64 `json:"coordinates"`
}

type branch struct {
	Name     string   `json:"name"`
	Children []branch `json:"children"`
}

// measureDocument reads a file and writes the value that was read, count times each, in every
// round.
// Usage: BluebonnetBenchmarkGo document TYPE FILE COUNT ROUNDS.
func measureDocument(arguments []string) error {
	usage := fmt.Errorf("usage: BluebonnetBenchmarkGo document TYPE FILE COUNT ROUNDS")
	if len(arguments) != 4 {
		return usage
	}
	count, countError := strconv.Atoi(arguments[2])
	rounds, roundsError := strconv.Atoi(arguments[3])
	if countError != nil || roundsError != nil {
		return usage
	}
	text, err := os.ReadFile(arguments[1])
	if err != nil {
		return err
	}
	switch arguments[0] {
	case "CatalogPage":
		return measure[page](text, count, rounds)
	case "Item":
		return measure[item](text, count, rounds)
	case "Timeline":
		return measure[timeline](text, count, rounds)
	case "Program":
		return measure[program](text, count, rounds)
	case "Region":
		return measure[region](text, count, rounds)
	case "Array<Branch>":
		return measure[[]branch](text, count, rounds)
	}
	return fmt.Errorf("unknown type %s", arguments[0])
}

// kept holds the last text, so that the compiler cannot remove its creation.
var kept []byte

// measure prints the CPU time of each document in microseconds, by round.
func measure[T any](text []byte, count, rounds int) error {
	var times struct {
		Read    []float64 `json:"read"`
		Written []float64 `json:"written"`
	}
	var last T
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	// Like Swift's encoder, do not escape HTML, and return new bytes for each document.
	encoder.SetEscapeHTML(false)
	// The first round only warms up.
	for round := 0; round <= rounds; round++ {
		runtime.GC()
		start := cpuSeconds()
		for number := 0; number < count; number++ {
			var value T
			if err := json.Unmarshal(text, &value); err != nil {
				return err
			}
			last = value
		}
		read := cpuSeconds() - start
		runtime.GC()
		start = cpuSeconds()
		for number := 0; number < count; number++ {
			written.Reset()
			if err := encoder.Encode(last); err != nil {
				return err
			}
			kept = append([]byte(nil), written.Bytes()...)
		}
		if round > 0 {
			times.Read = append(times.Read, read*1e6/float64(count))
			times.Written = append(times.Written, (cpuSeconds()-start)*1e6/float64(count))
		}
	}
	return json.NewEncoder(os.Stdout).Encode(times)
}
