-- Questions of the server, such as the one for consent: all of it is to be read before it is answered.
local M = {}

--- Shows the whole text above the chooser, where that is another than Neovim's own: choosers have the question as a
--- title, of which they show what fits. Gives what closes it.
local function show_whole(text)
  if debug.getinfo(vim.ui.select, 'S').source:find('vim/ui.lua', 1, true) then
    return function() end
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, '\n'))
  local width = math.min(vim.o.columns - 4, 100)
  local height = 0
  for _, line in ipairs(vim.split(text, '\n')) do
    height = height + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / math.max(width - 8, 1)))
  end
  local opened, window = pcall(vim.api.nvim_open_win, buffer, false, {
    relative = 'editor',
    row = 0,
    col = math.max(math.floor((vim.o.columns - width) / 2) - 1, 0),
    width = math.max(width, 1),
    height = math.max(math.min(height, math.floor(vim.o.lines / 2)), 1),
    style = 'minimal',
    border = 'rounded',
    focusable = false,
    zindex = 300,
  })
  if not opened then
    return function() end
  end
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  vim.cmd.redraw()
  return function()
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_close(window, true)
    end
  end
end

--- Puts the question; what is chosen, or nothing.
function M.ask(problem, params, context)
  local waiting, main = coroutine.running()
  if not waiting or main then
    return vim.lsp.handlers['window/showMessageRequest'](problem, params, context)
  end
  local close = show_whole(params.message)
  vim.ui.select(params.actions or {}, {
    kind = 'lsp_message',
    prompt = params.message .. '\n',
    format_item = function(action)
      return vim.fn.strtrans(action.title)
    end,
  }, function(choice)
    vim.schedule(function() -- a chooser may answer before the question is waited for
      close()
      coroutine.resume(waiting, choice or vim.NIL)
    end)
  end)
  return coroutine.yield()
end

return M
