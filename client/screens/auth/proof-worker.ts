import { computeProof } from './compute-proof-of-work.ts'

self.onmessage = ({ data: challenge }) => computeProof(challenge).then(self.postMessage)
