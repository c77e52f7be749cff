-- Windows for what the server shows: beside what it is about, which stays in sight.
local M = {}

local WIDE = 140 -- columns that are enough for two windows side by side

--- Text of others, such as what a workspace calls things, for a status line or a winbar: no item of those begins in it,
--- and nothing in it moves the cursor.
function M.plain(text, most)
  local line = vim.fn.strtrans((text:gsub('%s+', ' ')))
  if most and vim.fn.strchars(line) > most then
    line = vim.fn.strcharpart(line, 0, most - 1) .. '…'
  end
  return (line:gsub('%%', '%%%%'))
end

--- Shows a buffer in a window of its own beside `window` (0: the current one), or where it is shown already in this tab
--- page; gives the window. There may be no room for one more: then in the current window.
function M.beside(buffer, window, enter)
  for _, shown in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(shown) == buffer then
      if enter then
        vim.api.nvim_set_current_win(shown)
      end
      return shown
    end
  end
  local split = vim.api.nvim_win_get_width(window) >= WIDE and 'right' or 'below'
  local opened, shown = pcall(vim.api.nvim_open_win, buffer, enter, { split = split, win = window })
  if not opened then
    shown = vim.api.nvim_get_current_win()
    vim.api.nvim_win_set_buf(shown, buffer)
  end
  return shown
end

return M
