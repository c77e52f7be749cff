-- The page of a Tool: its types as Flow writes them, each name leading to the declaration of its type.
local windows = require('flow_lsp.windows')
local M = {}

local INDENT = '    ' -- of declarations, by which they are known and coloured
local links = vim.api.nvim_create_namespace('flow_lsp_links')
local pages = {} -- by buffer: what is behind the text

--- Lines of text of others.
local function lines_of(text)
  return vim.tbl_map(function(line)
    return (line:gsub('%c', ' '):gsub('^    +', '   '))
  end, type(text) == 'string' and vim.split(vim.trim(text), '\r?\n') or {})
end

--- A page as text: its lines, the places in it that lead on, and the row where each section begins, all from 0.
local function laid_out(page)
  local text, places, rows, declared = {}, {}, {}, {}
  local function paragraph(lines)
    if #lines > 0 then
      vim.list_extend(text, lines)
      table.insert(text, '')
    end
  end
  paragraph({ '# ' .. table.concat(lines_of(page.title), ' ') })
  paragraph(lines_of(('%s · %s'):format(page.identity or '', page.state or '')))
  paragraph(lines_of(page.detail))
  for _, section in ipairs(page.sections or {}) do
    rows[section.id] = #text
    table.insert(declared, { row = #text, location = section.location })
    paragraph({ '## ' .. table.concat(lines_of(section.heading), ' ') })
    paragraph(lines_of(section.doc))
    local lines = {}
    for _, pieces in ipairs(section.lines or {}) do
      local line = INDENT
      for _, piece in ipairs(pieces) do
        local words = piece.text:gsub('%c', ' ')
        if type(piece.to) == 'string' then
          table.insert(places, { row = #text + #lines, first = #line, last = #line + #words, to = piece.to })
        end
        line = line .. words
      end
      table.insert(lines, line)
    end
    paragraph(lines)
    paragraph(vim.tbl_map(function(note)
      return '- ' .. table.concat(lines_of(note), ' ')
    end, section.notes or {}))
  end
  table.remove(text)
  return { text = text, places = places, rows = rows, declared = declared }
end

--- Goes where the text under the cursor leads: to the section of the type that it names, else to where the type of the
--- section is declared.
local function follow(buffer)
  local page = pages[buffer]
  local cursor = vim.api.nvim_win_get_cursor(0)
  local row, column = cursor[1] - 1, cursor[2]
  for _, place in ipairs(page.places) do
    if place.row == row and place.first <= column and column < place.last and page.rows[place.to] then
      vim.cmd("normal! m'")
      vim.api.nvim_win_set_cursor(0, { page.rows[place.to] + 1, 0 })
      return
    end
  end
  local location
  for _, section in ipairs(page.declared) do
    location = section.row <= row and section.location or location
  end
  if type(location) ~= 'table' then
    vim.notify('flow-lsp: nothing to go to here', vim.log.levels.INFO)
    return
  end
  local target = vim.fn.win_findbuf(vim.uri_to_bufnr(location.uri))[1] or vim.fn.win_getid(vim.fn.winnr('#'))
  if target ~= 0 then
    vim.api.nvim_set_current_win(target)
  end
  vim.lsp.util.show_document(location, page.encoding, { focus = true })
end

--- The next or the last place that leads on.
local function jump(buffer, step)
  local places = pages[buffer].places
  local cursor = vim.api.nvim_win_get_cursor(0)
  local row, column = cursor[1] - 1, cursor[2]
  local first, last = step > 0 and 1 or #places, step > 0 and #places or 1
  for index = first, last, step do
    local place = places[index]
    local further = place.row - row ~= 0 and place.row - row or place.first - column
    if further * step > 0 then
      vim.api.nvim_win_set_cursor(0, { place.row + 1, place.first })
      return
    end
  end
end

local function new_buffer()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  local function map(keys, action, about)
    vim.keymap.set('n', keys, action, { buffer = buffer, nowait = true, desc = about })
  end
  map('<CR>', function() follow(buffer) end, 'Go to the type under the cursor')
  map('gd', function() follow(buffer) end, 'Go to the type under the cursor')
  map('<Tab>', function() jump(buffer, 1) end, 'Next type')
  map('<S-Tab>', function() jump(buffer, -1) end, 'Last type')
  map('gj', function() pages[buffer].show_json() end, 'Show the schemas as JSON')
  map('q', vim.cmd.close, 'Close')
  vim.api.nvim_create_autocmd('BufWipeout', { buffer = buffer, callback = function() pages[buffer] = nil end })
  return buffer
end

--- Shows a page beside the current window. A page of the same Tool takes the place of the one that is open.
local function show(page, client, arguments)
  local name = 'flow-tool://' .. page.identity
  local buffer
  for each in pairs(pages) do
    buffer = pages[each].name == name and each or buffer
  end
  buffer = buffer or new_buffer()
  local laid = laid_out(page)
  pages[buffer] = vim.tbl_extend('error', laid, {
    name = name,
    encoding = client.offset_encoding,
    show_json = function()
      client:request('workspace/executeCommand', { command = 'flow.tool.schema', arguments = arguments }, M.said)
    end,
  })
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, laid.text)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
  pcall(vim.api.nvim_buf_set_name, buffer, name)
  vim.api.nvim_buf_clear_namespace(buffer, links, 0, -1)
  for _, place in ipairs(laid.places) do
    vim.api.nvim_buf_set_extmark(buffer, links, place.row, place.first,
      { end_col = place.last, hl_group = 'FlowLink' })
  end
  vim.bo[buffer].filetype = 'flowpage'
  local window = windows.beside(buffer, 0, true)
  vim.wo[window][0].winbar = windows.plain(page.title or '') .. '%=%#Comment#<CR> type  gj JSON  q close'
  vim.wo[window][0].number = false
  vim.wo[window][0].signcolumn = 'no'
  vim.wo[window][0].conceallevel = 2 -- of the marks of headings
  vim.wo[window][0].wrap = true
  vim.wo[window][0].linebreak = true
  vim.wo[window][0].breakindent = true
end

--- Says why something that was asked for did not come.
function M.said(problem)
  if problem then
    vim.notify('flow-lsp: ' .. problem.message, vim.log.levels.ERROR)
  end
end

--- Shows the page of a Tool: `arguments` are the URI of its file and its name. A server that makes no pages shows the
--- schemas as JSON.
function M.open(client, buffer, arguments)
  local offered = vim.tbl_get(client.server_capabilities, 'executeCommandProvider', 'commands') or {}
  if not vim.list_contains(offered, 'flow.tool.page') then
    client:request('workspace/executeCommand', { command = 'flow.tool.schema', arguments = arguments }, M.said, buffer)
    return
  end
  client:request('workspace/executeCommand', { command = 'flow.tool.page', arguments = arguments },
    function(problem, page)
      if problem or type(page) ~= 'table' then
        M.said(problem or { message = 'there is no page of this Tool' })
      else
        show(page, client, arguments)
      end
    end, buffer)
end

return M
