import { useState } from 'react'

/** One ripple through the rings for each credit that arrives while somebody looks. */
export function Ripple({ rewardId }: { rewardId: string | null }) {
  const [first] = useState(rewardId)
  if (rewardId === null || rewardId === first) return null
  return (
    <div key={rewardId} className="pointer-events-none absolute inset-0" aria-hidden="true">
      <div className="dial-ripple absolute inset-0 rounded-full" />
      <div className="dial-ripple absolute inset-0 rounded-full" />
    </div>
  )
}
