import { html, type Value } from '#operators/console/html'
import type { PageRequest } from '#operators/console/page'
import { actionLink, type Column, cell, section, table } from '#operators/console/parts'
import { mayOpenBoard } from '#operators/console/roles'
import type { ListCommand, OpsCall, Row } from '#operators/ops/command'
import { statusCommands } from '#operators/ops/status'

export async function listed(call: OpsCall, label: string, command: ListCommand): Promise<Value> {
  const rows = await command.list(call).catch(() => undefined)
  if (!rows) return html`<p class="none">Redis does not answer, or REDIS_URL is not set.</p>`
  const columns = Object.entries(rows[0] ?? {}).map(([key, value]): Column<Row> => {
    const head = key.replace(/^./, (letter) => letter.toUpperCase()).replace('At', ' (UTC)')
    return [head, (row) => cell(row[key]), typeof value === 'number' ? 'figure' : undefined]
  })
  return table(label, rows, columns)
}

export async function queuesPage(request: PageRequest): Promise<Value> {
  return [
    section('Jobs by state', await listed(request, 'Queues', statusCommands.queues), [
      mayOpenBoard(request.operator.role) &&
        html`<a class="button" href="/queues/board">Open the board</a>`,
      actionLink(request, 'mail test', 'Send a test mail…'),
    ]),
    section(
      'Newest failed jobs',
      await listed(request, 'Failed jobs', statusCommands['queues failed']),
    ),
    html`<p class="hint">Jobs are only alarm clocks: what is due is in the database, and workers repeat what failed. The board is read-only and runs its own script.</p>`,
  ]
}
