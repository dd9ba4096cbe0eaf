module benchmark-go

go 1.19
