-- A Tool as it is declared and as it is served, as a difference of two windows in a tab page of their own.
local pages = require('flow_lsp.pages')
local M = {}

-- Reads again what is on the disk: the server writes it anew each time.
local function buffer_of(uri)
  local buffer = vim.uri_to_bufnr(uri)
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].autoread = true
  vim.fn.bufload(buffer)
  vim.cmd.checktime(buffer)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].buflisted = false
  vim.bo[buffer].syntax = 'flow' -- the filetype would start a server
  vim.keymap.set('n', 'q', '<Cmd>tabclose<CR>', { buffer = buffer, nowait = true, desc = 'Close the difference' })
  return buffer
end

--- Has a buffer in the current window, as one side of the difference.
local function show(buffer, winbar)
  vim.api.nvim_win_set_buf(0, buffer)
  vim.wo[0][0].winbar = winbar
  vim.cmd.diffthis()
  vim.wo[0][0].wrap = true -- a signature is one line, however long
end

--- Goes to the tab page that shows both already, if there is one.
local function go_to(declared, served)
  for _, page in ipairs(vim.api.nvim_list_tabpages()) do
    local buffers = vim.tbl_map(vim.api.nvim_win_get_buf, vim.api.nvim_tabpage_list_wins(page))
    if vim.list_contains(buffers, declared) and vim.list_contains(buffers, served) then
      vim.api.nvim_set_current_tabpage(page)
      vim.cmd.diffupdate()
      return true
    end
  end
end

--- Shows the difference: `arguments` are the URI of the Tool's file and its name.
function M.open(client, buffer, arguments)
  local params = { command = 'flow.tool.changes', arguments = arguments }
  client:request('workspace/executeCommand', params, function(problem, texts)
    if problem then
      pages.said(problem)
      return
    end
    local declared, served = buffer_of(texts.declared), buffer_of(texts.served)
    if go_to(declared, served) then
      return
    end
    vim.cmd.tabnew()
    vim.bo.bufhidden = 'wipe'
    show(declared, 'as it is declared%=%#Comment#]c next  q close')
    vim.cmd('rightbelow vsplit')
    show(served, 'as it is served')
    vim.cmd.wincmd('p')
  end, buffer)
end

return M
