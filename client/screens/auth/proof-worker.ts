import { computeProof } from './compute-proof.ts'

self.onmessage = ({ data: challenge }) =>
  computeProof(challenge).then(self.postMessage, () => self.postMessage(null))
