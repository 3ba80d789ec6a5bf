import { useState } from 'react'

/** A ripple through the rings for each credit that arrives while the dial is mounted. */
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
