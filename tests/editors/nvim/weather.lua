-- The main job: a person opens the example workspace, is asked once, and sees which Tools are bound and fit.
local session = dofile(vim.env.FLOW_TEST_DIRECTORY .. '/session.lua')
local check = session.check

session.answer = 'Always for this command here'
local questions = session.questions

session.run(function()
  local weather = vim.api.nvim_get_current_buf()
  check('a .flow file has the filetype flow', vim.bo[weather].filetype == 'flow', vim.bo[weather].filetype)
  check('it is coloured', vim.b[weather].current_syntax == 'flow', vim.b[weather].current_syntax)
  check('comments are known', vim.bo[weather].commentstring == '// %s', vim.bo[weather].commentstring)

  local client = session.client(weather)
  check('the server looks after the workspace', client.config.root_dir == vim.env.FLOW_TEST_WORKSPACE,
    client.config.root_dir)

  session.wait(function() return questions[1] end)
  local question = questions[1] or { prompt = '', titles = {} }
  check('the trust question shows the command', question.prompt:find('python3 weather_tools.py', 1, true), question)
  check('and the directory', question.prompt:find(vim.env.FLOW_TEST_WORKSPACE, 1, true), question)
  check('with three answers', vim.deep_equal(question.titles, { 'Run once', 'Always for this command here', 'Never' }),
    question.titles)

  local drift = session.diagnostic(weather, 'drift')
  local declared = vim.fn.search('pub fn forecast', 'nw')
  check('drift is shown at the declaration', drift and drift.line == declared, session.diagnostics(weather))
  check('and says what differs', drift and drift.message:find('days', 1, true) and
    drift.message:find('rain_chance', 1, true), drift)
  check('the Tool that fits has no diagnostic', #session.diagnostics(weather) == 1, session.diagnostics(weather))

  local hover = session.hover([[fn \zscurrent]])
  check('a hover tells of the declaration', hover and hover:find('weather.current', 1, true), hover)
  check('with its fingerprint', hover and hover:find('sha256:', 1, true), hover)

  -- A new build of the implementation: it calls one Tool by another name.
  local program = table.concat(vim.fn.readfile('flow_tools.py'), '\n')
  vim.fn.writefile(vim.split(program:gsub('weather%.current', 'weather.now'), '\n'), 'flow_tools.py')
  vim.cmd.FlowDescribe()
  local unserved = session.diagnostic(weather, 'unserved')
  check(':FlowDescribe shows what it serves by now', unserved and unserved.message:find('current', 1, true),
    session.diagnostics(weather))

  vim.cmd.FlowDoctor()
  local report = session.wait(function()
    local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
    return lines[1]:find('^flow%-lsp ') and lines
  end)
  local text = table.concat(report or {}, '\n')
  check(':FlowDoctor shows what would run', text:find('command  python3 weather_tools.py', 1, true), text)
  check('and what it answered', text:find('data 0.1, 2 Tools', 1, true), text)
  check('in a window that is no file', vim.bo.buftype == 'nofile' and not vim.bo.modified, vim.bo.buftype)
  vim.cmd.close()

  vim.cmd.edit('alerts.flow')
  local alerts = vim.api.nvim_get_current_buf()
  local unbound = session.diagnostic(alerts, 'unbound-no-table')
  check('the unbound Tool is shown', unbound and unbound.line == vim.fn.search('pub fn alerts', 'nw'),
    session.diagnostics(alerts))

  vim.cmd.edit('flow.toml')
  local manifest = vim.api.nvim_get_current_buf()
  check('flow.toml keeps the filetype toml', vim.bo[manifest].filetype == 'toml', vim.bo[manifest].filetype)
  local same = session.client(manifest)
  check('one server looks after both', same.id == client.id)

  -- A keystroke: the table of alerts.flow is typed, and not saved.
  vim.api.nvim_buf_set_lines(manifest, -1, -1, false, { '', '[tools."alerts.flow"]' })
  local missing = session.diagnostic(manifest, 'one-of')
  local typed = vim.api.nvim_buf_line_count(manifest)
  check('a table without a command is shown while it is typed', missing and missing.line == typed,
    session.diagnostics(manifest))
  vim.cmd.undo()
  local gone = session.wait(function()
    return not vim.iter(session.diagnostics(manifest)):any(function(found) return found.code == 'one-of' end)
  end)
  check('and is gone when it is undone', gone, session.diagnostics(manifest))

  vim.cmd.edit('other.toml')
  local other = vim.api.nvim_get_current_buf()
  check('no other TOML file is touched',
    vim.bo[other].filetype == 'toml' and #vim.lsp.get_clients({ bufnr = other }) == 0, vim.bo[other].filetype)
  check('the question was put once', #questions == 1, questions)
end)
