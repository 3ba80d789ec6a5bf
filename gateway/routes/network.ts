import { readNetwork } from '#db/ledger/network-counters'
import { signedIn } from '#gateway/http/route'

/** What the Network screen shows. */
export const network = signedIn<'GET /api/network'>(({ services }) => readNetwork(services.db))
