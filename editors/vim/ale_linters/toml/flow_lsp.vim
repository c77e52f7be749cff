call flow_lsp#ale('toml')
