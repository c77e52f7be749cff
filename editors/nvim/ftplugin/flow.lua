-- Flow declarations: comments, and names as the server counts them.
if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = 1

vim.bo.commentstring = '// %s'
vim.bo.comments = 'sr:/*,mb:*,ex:*/,:////,:///,://'
vim.opt_local.formatoptions:append('croql')
vim.opt_local.formatoptions:remove('t')
vim.bo.suffixesadd = '.flow'

vim.b.undo_ftplugin = 'setlocal commentstring< comments< formatoptions< suffixesadd<'
