-- Calling a Tool: lenses over each, the arguments as a document, what the call came to beside it.
--
-- The server does the work; here stands what Neovim leaves to its user: showing lenses at all, and showing what is on
-- the disk where a buffer is older. Everything is by Neovim's own means, so that a newer one does it by itself.
local windows = require('flow_lsp.windows')
local M = {}

local ARGUMENTS = '.flow-call.json'
local RESULT = '.flow-result.json'
local TEXT = '.flow-text' -- of a Tool as it is declared or served
local group = vim.api.nvim_create_augroup('flow_lsp_lenses', {})

--- Whether a file of that path holds the arguments of a call, by its name alone.
function M.is_arguments(path)
  return vim.endswith(path, ARGUMENTS)
end

--- The .flow file whose Tool the arguments at `path` are for; nil where they are none of the server's.
function M.source_of(path)
  local opened, file = pcall(io.open, vim.fs.joinpath(vim.fs.dirname(path), 'tool.json'))
  if not opened or not file then
    return nil
  end
  local decoded, about = pcall(vim.json.decode, file:read('*a'))
  file:close()
  return decoded and type(about) == 'table' and type(about.file) == 'string' and about.file or nil
end

-- Neovim 0.11 shows lenses when it is told to, and does not say that it can be told to ask for them again.
local refreshes = vim.lsp.codelens.enable == nil

local function refresh(buffer)
  vim.lsp.codelens.refresh({ bufnr = buffer })
end

local function wants_lenses()
  return vim.g.flow_lsp_code_lens ~= false
end

--- What is told to the server beyond what Neovim tells it. Of edits, it says that it creates files, and not that it
--- takes them in that form.
function M.capabilities()
  return {
    workspace = {
      workspaceEdit = { documentChanges = true },
      codeLens = refreshes and { refreshSupport = true } or nil,
    },
  }
end

local function refresh_all(_, _, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  for buffer in pairs(wants_lenses() and client and client.attached_buffers or {}) do
    refresh(buffer)
  end
  return vim.NIL
end

--- The window beside which a document of the server is shown: that of the arguments for a result, else the current one.
local function home_of(uri)
  if vim.endswith(uri, RESULT) then
    local arguments = uri:sub(1, -#RESULT - 1) .. ARGUMENTS
    for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      if vim.uri_from_bufnr(vim.api.nvim_win_get_buf(window)) == arguments then
        return window
      end
    end
  end
  return 0
end

--- Shows a document beside what it is about, with what is on the disk by now: the server writes some of them again and
--- again.
local function show_document(problem, params, context)
  if params.external then
    return vim.lsp.handlers['window/showDocument'](problem, params, context)
  end
  local result, arguments = vim.endswith(params.uri, RESULT), M.is_arguments(params.uri)
  local buffer = vim.uri_to_bufnr(params.uri)
  local old = vim.api.nvim_buf_is_loaded(buffer)
  if not arguments then
    -- Written by the server alone.
    vim.bo[buffer].swapfile = false
    vim.bo[buffer].autoread = true
  end
  vim.bo[buffer].buflisted = true
  local window = windows.beside(buffer, home_of(params.uri), params.takeFocus == true)
  if params.selection then
    local client = vim.lsp.get_client_by_id(context.client_id)
    local encoding = client and client.offset_encoding or 'utf-16'
    local line = params.selection.start.line
    local text = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] or ''
    local column = vim.str_byteindex(text, encoding, params.selection.start.character, false)
    pcall(vim.api.nvim_win_set_cursor, window, { line + 1, column })
  end
  if old then
    vim.cmd.checktime(buffer)
  end
  if result then
    vim.bo[buffer].modifiable = false
  elseif arguments then
    vim.lsp.buf_attach_client(buffer, context.client_id) -- whatever root_dir says of it
  elseif vim.endswith(params.uri, TEXT) then
    vim.bo[buffer].syntax = 'flow' -- the filetype would start a server
  end
  return { success = true }
end

--- What the client does when the server asks for it.
function M.handlers()
  local handlers = { ['window/showDocument'] = show_document }
  if refreshes then
    handlers['workspace/codeLens/refresh'] = refresh_all
  end
  return handlers
end

--- Runs the lens of that command of the Tool that the cursor is in or below; of the first one above all of them.
local function run_at_cursor(client, buffer, command, missing)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
  client:request('textDocument/codeLens', params, function(_, lenses)
    local chosen
    for _, lens in ipairs(lenses or {}) do
      if lens.command.command == command and (not chosen or lens.range.start.line <= row) then
        chosen = lens
      end
    end
    if chosen then
      client:exec_cmd(chosen.command, { bufnr = buffer })
    else
      vim.notify('flow-lsp: ' .. missing, vim.log.levels.WARN)
    end
  end, buffer)
end

--- Shows the lenses of a buffer, and goes on showing them.
local function show_lenses(buffer)
  if not wants_lenses() then
    return
  end
  if not refreshes then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
    return
  end
  vim.api.nvim_clear_autocmds({ group = group, buffer = buffer })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = group,
    buffer = buffer,
    desc = 'Ask for the lenses again',
    callback = function()
      refresh(buffer)
    end,
  })
  refresh(buffer)
end

--- Sets up a .flow file that the server was attached to.
function M.set_up_source(client, buffer)
  local function command(name, runs, missing, about)
    vim.api.nvim_buf_create_user_command(buffer, name, function()
      run_at_cursor(client, buffer, runs, missing)
    end, { desc = about })
  end
  command('FlowCall', 'flow.call.open', 'no Tool that can be called is declared here',
    'Open the arguments of the Tool at the cursor')
  command('FlowSchema', 'flow.tool.schema', 'no Tool whose signature is known is declared here',
    'Show the types of the Tool at the cursor')
  command('FlowChanges', 'flow.tool.changes', 'nothing is known to be served otherwise than it is declared here',
    'Show the Tool at the cursor as it is declared and as it is served')
  show_lenses(buffer)
end

--- Sets up the arguments of a call that the server was attached to.
function M.set_up_arguments(client, buffer)
  local function run(command)
    return function()
      client:exec_cmd({ title = command, command = command, arguments = { vim.uri_from_bufnr(buffer) } }, { bufnr = buffer })
    end
  end
  vim.api.nvim_buf_create_user_command(buffer, 'FlowCall', run('flow.call'),
    { desc = 'Call the Tool with these arguments' })
  vim.api.nvim_buf_create_user_command(buffer, 'FlowCancel', run('flow.call.cancel'),
    { desc = 'Ask to stop the calls with these arguments' })
  show_lenses(buffer)
end

return M
