import type { OpsCommand } from '#scripts/ops/command'
import { kycAccept, kycHistory, kycList, kycReject, kycShow } from '#scripts/ops/identity/kyc'
import { reviewersAdd, reviewersList, reviewersRemove } from '#scripts/ops/identity/reviewers'
import { keysRenew, keysStatus } from '#scripts/ops/keys/keys'
import { redisClear } from '#scripts/ops/keys/redis-clear'
import { codesFreeze, codesList, codesUnfreeze } from '#scripts/ops/members/codes'
import { membersFreeze, membersUnfreeze } from '#scripts/ops/members/freeze'
import { ledgerCorrect, ledgerShow } from '#scripts/ops/members/ledger'
import { membersFind, membersShow } from '#scripts/ops/members/members'
import { membersResetFactor } from '#scripts/ops/members/reset-factor'
import { sessionsEnd, sessionsShow } from '#scripts/ops/members/sessions'
import { signInsEnd } from '#scripts/ops/members/sign-ins'
import { flagsFor, flagsList, flagsOff, flagsOn } from '#scripts/ops/product/flags'
import { log } from '#scripts/ops/product/log'
import { versionsList, versionsSet } from '#scripts/ops/product/versions'
import { lag } from '#scripts/ops/service/lag'
import { mailFailed, mailRetry, mailWaiting } from '#scripts/ops/service/mail'
import { quarantineList, quarantineRelease } from '#scripts/ops/service/quarantine'
import { queues, queuesFailed } from '#scripts/ops/service/queues'
import { retentionStatus } from '#scripts/ops/service/retention'
import { sealsList } from '#scripts/ops/service/seals'
import { status } from '#scripts/ops/service/status'

/** All commands, by the words that name them. */
export const OPS = {
  status,
  lag,
  queues,
  'queues failed': queuesFailed,
  'members find': membersFind,
  'members show': membersShow,
  'members freeze': membersFreeze,
  'members unfreeze': membersUnfreeze,
  'members reset-factor': membersResetFactor,
  'sign-ins end': signInsEnd,
  'sessions show': sessionsShow,
  'sessions end': sessionsEnd,
  'ledger show': ledgerShow,
  'ledger correct': ledgerCorrect,
  'codes list': codesList,
  'codes freeze': codesFreeze,
  'codes unfreeze': codesUnfreeze,
  'retention status': retentionStatus,
  'seals list': sealsList,
  'quarantine list': quarantineList,
  'quarantine release': quarantineRelease,
  'kyc list': kycList,
  'kyc history': kycHistory,
  'kyc show': kycShow,
  'kyc accept': kycAccept,
  'kyc reject': kycReject,
  'reviewers list': reviewersList,
  'reviewers add': reviewersAdd,
  'reviewers remove': reviewersRemove,
  'mail waiting': mailWaiting,
  'mail failed': mailFailed,
  'mail retry': mailRetry,
  'flags list': flagsList,
  'flags on': flagsOn,
  'flags off': flagsOff,
  'flags for': flagsFor,
  'versions list': versionsList,
  'versions set': versionsSet,
  'keys status': keysStatus,
  'keys renew': keysRenew,
  'redis clear': redisClear,
  log,
} satisfies Record<string, OpsCommand>

export type OpsName = keyof typeof OPS
