const REMOVED = [
  'Your name, email address, phone number, picture and password.',
  'Your identity documents, and every sign-in on every device.',
  'Your points: all TESP and USDT are lost, pending ones too.',
  'Your referral code. Your username and email address become free.',
]

const KEPT = [
  'The entries of your wallet and your mining sessions: the books of the network must add up.',
  'Your place in your referrer’s team, as “Deleted member”.',
]

/** Lists what a deletion removes and what it keeps. */
export function DeletionFacts() {
  return (
    <div className="mb-5 flex flex-col gap-4 rounded-control border border-line bg-panel p-4">
      <Facts title="What goes" facts={REMOVED} />
      <Facts title="What stays, under a number instead of your name" facts={KEPT} />
    </div>
  )
}

function Facts({ title, facts }: { title: string; facts: string[] }) {
  return (
    <section>
      <h3 className="text-sm">{title}</h3>
      <ul className="mt-1.5 flex list-disc flex-col gap-1 pl-4 text-sm text-muted">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </section>
  )
}
