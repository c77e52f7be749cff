"""One module per request of the LSP: params in, the analysis asked, its answer in the LSP's shape."""
