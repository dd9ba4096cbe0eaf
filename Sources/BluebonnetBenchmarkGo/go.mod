module bluebonnet-benchmark-go

go 1.19
