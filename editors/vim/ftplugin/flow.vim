" Flow declarations: comments, and names as the server counts them.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s
setlocal comments=sr:/*,mb:*,ex:*/,:////,:///,://
setlocal formatoptions-=t formatoptions+=croql
setlocal suffixesadd=.flow

let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< suffixesadd<'
