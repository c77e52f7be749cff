-- What the scripts here share: steps that wait for an event within a bound, and a report as JSON at the end.
--
-- A script is run inside a Neovim that loaded the plugin as a user's would. `check` notes a step; `finish` writes the
-- report to $FLOW_TEST_REPORT and ends Neovim with status 0 if every step was right, else 1.

--- `questions` are those that were put to the user, as prompt and titles; `answer` is the title that is chosen.
--- `progress` is what was said of work that is done, in order.
local M = { steps = {}, questions = {}, answer = nil, progress = {} }

vim.api.nvim_create_autocmd('LspProgress', {
  callback = function(event)
    table.insert(M.progress, event.data.params.value.message)
  end,
})

-- Neovim's own chooser waits for a key, and nobody is there to press one.
vim.ui.select = function(items, options, choose)
  local titles = vim.tbl_map(options.format_item or tostring, items)
  table.insert(M.questions, { prompt = options.prompt, titles = titles })
  for index, title in ipairs(titles) do
    if title == M.answer then
      return choose(items[index], index)
    end
  end
  choose(nil, nil)
end

local deadline = vim.uv.now() + 30000 -- for everything the script waits for, in milliseconds
local ending = 10000 -- for the server to end, longer than it gives its children

--- Waits until `ready` returns something true, and returns that; at most so many milliseconds, if they are given.
function M.wait(ready, most)
  local value
  vim.wait(most or math.max(deadline - vim.uv.now(), 1), function()
    value = ready()
    return value
  end, 10)
  return value
end

--- Notes whether a step was right, with what was seen.
function M.check(name, right, seen)
  if not pcall(vim.json.encode, seen) then
    seen = vim.inspect(seen) -- a table with holes
  end
  table.insert(M.steps, { name = name, right = right and true or false, seen = seen })
end

--- The diagnostics of a buffer as code, line and column from 1, and sentence.
function M.diagnostics(buffer)
  return vim.tbl_map(function(found)
    return { code = found.code, line = found.lnum + 1, column = found.col + 1, message = found.message }
  end, vim.diagnostic.get(buffer))
end

--- The diagnostic of that code in a buffer, waited for.
function M.diagnostic(buffer, code)
  return M.wait(function()
    for _, found in ipairs(M.diagnostics(buffer)) do
      if found.code == code then
        return found
      end
    end
  end)
end

--- The client of this plugin that is attached to a buffer and ready, waited for. Nothing can follow without one.
function M.client(buffer)
  local client = M.wait(function()
    local found = vim.lsp.get_clients({ bufnr = buffer, name = 'flow_lsp' })[1]
    return found and found.initialized and found
  end, 15000)
  return client or error('no server is attached')
end

--- The text of the floating window that K opens at the first place of `pattern` in the current buffer.
function M.hover(pattern)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.fn.search(pattern, 'cW')
  vim.lsp.buf.hover()
  local window
  local text = M.wait(function()
    for _, candidate in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(candidate).relative ~= '' then
        window = candidate
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(candidate), 0, -1, false), '\n')
      end
    end
  end)
  if window then
    vim.api.nvim_win_close(window, true)
  end
  return text
end

--- The titles of the lenses that a buffer shows, by line.
function M.lenses(buffer)
  local found = {}
  for name, namespace in pairs(vim.api.nvim_get_namespaces()) do
    if name:find('codelens', 1, true) then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })) do
        local chunks = vim.tbl_filter(function(chunk) return chunk[2] == 'LspCodeLens' end, mark[4].virt_text)
        found[mark[2] + 1] = vim.tbl_map(function(chunk) return chunk[1] end, chunks)
      end
    end
  end
  return found
end

--- Runs a lens of a line of the current buffer as a person does: the cursor on the line, the title chosen.
function M.run_lens(line, title)
  local before = M.answer
  M.answer = title
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  vim.lsp.codelens.run()
  M.answer = before
end

--- The lines of a buffer.
function M.lines(buffer)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

--- The buffer of a file of that name, once it is loaded, waited for.
function M.buffer(name)
  return M.wait(function()
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_is_loaded(buffer) and vim.fs.basename(vim.api.nvim_buf_get_name(buffer)) == name then
        return buffer
      end
    end
  end)
end

--- Whether a buffer holds `text`, waited for.
function M.reads(buffer, text)
  return M.wait(function()
    return table.concat(M.lines(buffer), '\n'):find(text, 1, true)
  end)
end

--- Runs the script's steps once Neovim has started; a Lua error in them is a step that went wrong.
function M.run(steps)
  vim.api.nvim_create_autocmd('VimEnter', {
    once = true,
    callback = vim.schedule_wrap(function()
      local fine, problem = xpcall(steps, debug.traceback)
      if not fine then
        M.check('no error in the script', false, problem)
      end
      M.finish()
    end),
  })
end

function M.finish()
  local right = true
  for _, step in ipairs(M.steps) do
    right = right and step.right
  end
  local clients = vim.lsp.get_clients()
  for _, client in ipairs(clients) do
    client:stop()
  end
  local stopped = vim.wait(ending, function()
    return #vim.lsp.get_clients() == 0
  end, 10)
  M.check('the server ends when it is asked to', stopped)
  local report = assert(io.open(vim.env.FLOW_TEST_REPORT, 'w'))
  report:write(vim.json.encode(M.steps))
  report:close()
  vim.cmd((right and stopped) and 'qall!' or 'cquit 1')
end

return M
