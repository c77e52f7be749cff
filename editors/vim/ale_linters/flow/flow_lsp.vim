call flow_lsp#ale('flow')
