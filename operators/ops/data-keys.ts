import { readKeyUse, renewSealedRows } from '#operators/actions/data-keys'
import type { OpsCommand } from './command.ts'

export const keyCommands = {
  'keys status': {
    does: 'encrypted rows by key of DATA_KEY: the current one, an older one, none',
    list: ({ db, config }) => readKeyUse(db, config.dataKey),
  },
  'keys renew': {
    does: 'encrypts rows under older keys of DATA_KEY again under the first one',
    act: async ({ db, config }) => {
      const older = (await readKeyUse(db, config.dataKey)).reduce((sum, use) => sum + use.older, 0)
      return {
        asks: older > 0 ? `Encrypt ${older} rows again under the first key of DATA_KEY?` : null,
        // After the commit: one transaction for all rows would hold each of them until its end.
        run: async () => ({
          says: `${older} rows are encrypted again`,
          details: { rows: older },
          after: () => renewSealedRows(db, config.dataKey),
        }),
      }
    },
  },
} satisfies Record<string, OpsCommand>
