import type { Db } from '#db/postgres/statements/transaction'

/** What the database says about the run. */
export type Figures = {
  sessions: number
  /** Credited intervals, rolled up or not. */
  credits: number
  /** Milestones that were paid. */
  milestones: number
  /** USDT that claims moved to wallets. */
  usdtClaimed: string
  /** Days that were sealed, and seals of days whose rows were rolled up or came late. */
  sealedDays: number
  sealsAgain: number
  /** Days of the ledger whose credits were rolled up. */
  rolledUpDays: number
}

export async function readFigures(db: Db): Promise<Figures> {
  const { rows } = await db.raw(`
    select (select count(*) from mining_sessions) as sessions,
      (select coalesce(sum("creditedIntervals"), 0)::bigint from mining_sessions) as credits,
      (select count(*) from team_milestones where achieved) as milestones,
      (select coalesce(sum(amount), 0)::text from wallet_activity
        where id like 'claim:%' and "tokenType" = 'USDT') as "usdtClaimed",
      (select count(distinct day) from ledger_seals) as "sealedDays",
      (select count(*) from ledger_seals where reason <> 'day') as "sealsAgain",
      (select count(*) from ledger_rollups where "swappedAt" is not null) as "rolledUpDays"`)
  return rows[0]
}
