import { aKey, makeProof, published } from '#db/ledger/seals/testing/make-proof'
import { chooseJson, inOrder, see } from '#trials/screenshots/steps'
import { FAILS, memberStates, ofReading, type State, visitorStates } from './state.ts'

const key = aKey()
const proof = makeProof(key)
const PUBLISHED: State['stubs'] = {
  'GET /api/ledger/keys': { json: { keys: [published(key)] } },
  'GET /api/ledger/roots': { json: { seals: [proof.seal] } },
}
const UNREACHABLE: State['stubs'] = { ...PUBLISHED, 'GET /api/ledger/roots': FAILS }
const verdictOf = (file: object) => inOrder(chooseJson(file), see('main h2'))

export const OTHER_STATES: State[] = [
  ...memberStates('network', '/network', {
    status: { whole: true },
    ...ofReading('GET /api/network'),
  }),
  ...visitorStates('verify', '/verify', {
    page: {},
    valid: { stubs: PUBLISHED, act: verdictOf({ receipt: proof }), whole: true },
    forged: { stubs: PUBLISHED, act: verdictOf(makeProof(aKey())), whole: true },
    unreachable: { stubs: UNREACHABLE, act: verdictOf(proof), whole: true },
    'no-proof': { act: inOrder(chooseJson([]), see('main p.text-coral')) },
  }),
  ...visitorStates('status', '/status', { page: {} }),
  ...memberStates('swap', '/swap', { 'coming-soon': {}, shell: { shell: true } }),
  ...visitorStates('not-found', '/nowhere', { visitor: {} }),
]
