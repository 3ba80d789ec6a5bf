import { readKeyUse, renewSealedRows } from '#operators/actions/data-keys'
import type { ActCommand, ListCommand } from './command.ts'

export const keysStatus: ListCommand = {
  does: 'encrypted rows by key of DATA_KEY: the current one, an older one, none',
  list: ({ db, config }) => readKeyUse(db, config.dataKey),
}

export const keysRenew: ActCommand = {
  does: 'encrypts rows under older keys of DATA_KEY again under the first one',
  act: async ({ db, config }) => {
    const older = (await readKeyUse(db, config.dataKey)).reduce((sum, use) => sum + use.older, 0)
    return {
      asks: older > 0 ? `Encrypt ${older} rows again under the first key of DATA_KEY?` : null,
      run: async (tx) => {
        const rows = await renewSealedRows(tx, config.dataKey)
        return { says: `${rows} rows are encrypted again`, details: { rows } }
      },
    }
  },
}
