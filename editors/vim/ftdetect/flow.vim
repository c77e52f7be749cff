autocmd BufRead,BufNewFile *.flow,*.flow-text setfiletype flow
