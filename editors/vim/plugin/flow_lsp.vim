" Tells the language clients of Vim that are there of flow-lsp. ALE reads ale_linters/ by itself.
if exists('g:loaded_flow_lsp') || has('nvim')
  finish
endif
let g:loaded_flow_lsp = 1

augroup flow_lsp
  autocmd!
  autocmd User lsp_setup call flow_lsp#vim_lsp()
  autocmd User LspSetup call flow_lsp#yegappan()
augroup END

call flow_lsp#coc()
