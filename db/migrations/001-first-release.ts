import type { Knex } from 'knex'
import { BUCKETS, SWEEP_RANGES } from '#rules/buckets'
import { CHANGES } from './baseline/changes.ts'
import { LEDGER } from './baseline/ledger.ts'
import { MEMBERS } from './baseline/members.ts'
import { MESSAGES } from './baseline/messages.ts'
import { MINING } from './baseline/mining.ts'
import { OPERATORS } from './baseline/operators.ts'
import { PRODUCT } from './baseline/product.ts'
import { TEAM_AND_TASKS } from './baseline/team-and-tasks.ts'

const RANGES = SWEEP_RANGES.map(({ first, last }) => `(${first}, ${last})`).join(', ')
const FIRST_BUCKETS = SWEEP_RANGES.map(({ first }) => `(${first}, 0)`).join(', ')

const FIRST_ROWS = `
  insert into product_clock ("realAnchor", "productAnchor", speed)
    select t, t, 1 from clock_timestamp() as t;
  insert into feature_flags (name, "displayName", description)
    values ('kyc', 'Identity verification', 'Shows the KYC tab on the Account screen');
  insert into tasks (id, texts, reward, platform, action, status, "check") values
    ('follow_twitter', '{
      "en": {"title": "Follow us on Twitter",
        "description": "Follow the TESP Network account on Twitter to hear what is new."},
      "vi": {"title": "Theo dõi chúng tôi trên Twitter",
        "description": "Theo dõi tài khoản TESP Network trên Twitter để biết tin mới."}
    }', 2, 'twitter', 'follow', 'active', 'trust'),
    ('join_telegram', '{
      "en": {"title": "Join our Telegram",
        "description": "Join the TESP Network channel on Telegram and meet other members."},
      "vi": {"title": "Tham gia Telegram của chúng tôi",
        "description": "Tham gia kênh TESP Network trên Telegram và làm quen với các thành viên khác."}
    }', 1, 'telegram', 'subscribe', 'active', 'trust');
  insert into credit_sweeps ("firstBucket", "lastBucket") values ${RANGES};
  insert into network_counters (bucket, lane) values ${FIRST_BUCKETS};
  insert into network_counters (bucket, lane) select n, 1 from generate_series(0, ${BUCKETS - 1}) n;
  insert into session_fold_position (day, bucket, "afterId") values ('-infinity', 0, 0);
  insert into team_check_position ("afterId") values (0);
  insert into telegram_updates default values;
  -- Without statistics Postgres assumes 1,000 rows and overestimates the cost of reading the lag.
  analyze credit_sweeps;
  analyze network_counters;
`

/** The schema of the first release. Citus distributes its tables afterwards (`distributeLedger`). */
export async function up(db: Knex): Promise<void> {
  const parts = [
    PRODUCT,
    MEMBERS,
    MESSAGES,
    OPERATORS,
    LEDGER,
    MINING,
    TEAM_AND_TASKS,
    CHANGES,
    FIRST_ROWS,
  ]
  await db.raw(parts.join(''))
}
