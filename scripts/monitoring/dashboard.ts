import { type Panel, ROWS } from './dashboard-panels.ts'

/** Grafana's grid has 24 columns. */
const WIDTH = 6
const HEIGHT = 8
const COLUMNS = 24 / WIDTH

/** Chosen in Grafana: the dashboard fits any Prometheus. */
const DATASOURCE = { type: 'prometheus', uid: `\${datasource}` }

const refIdOf = (index: number) => String.fromCharCode('A'.charCodeAt(0) + index)

function panelJson({ title, unit, queries }: Panel, id: number, x: number, y: number) {
  return {
    id,
    type: 'timeseries',
    title,
    datasource: DATASOURCE,
    gridPos: { x, y, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0, custom: { showPoints: 'never' } }, overrides: [] },
    options: { tooltip: { mode: 'multi' }, legend: { displayMode: 'list', placement: 'bottom' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: refIdOf(index),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  }
}

/** Rows with their panels, four side by side. */
function panels(): object[] {
  const all: object[] = []
  let y = 0
  for (const row of ROWS) {
    const gridPos = { x: 0, y, w: 24, h: 1 }
    all.push({
      id: all.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos,
      panels: [],
    })
    y += 1
    for (const [index, panel] of row.panels.entries()) {
      const top = y + Math.floor(index / COLUMNS) * HEIGHT
      all.push(panelJson(panel, all.length + 1, (index % COLUMNS) * WIDTH, top))
    }
    y += Math.ceil(row.panels.length / COLUMNS) * HEIGHT
  }
  return all
}

/** The dashboard as a JSON text that Grafana imports. */
export function dashboardJson(): string {
  const dashboard = {
    uid: 'tesp-network',
    title: 'TESP Network',
    tags: ['tesp'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' }],
    },
    panels: panels(),
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}
