import type { Page } from './page.ts'

/** What the member does, what the server then executes, and the toast about it. */
export type PageCommand = {
  route: string
  issue(page: Page): Promise<unknown>
  /** The toast of an outcome that arrives late; start and stop show none otherwise. */
  done: RegExp
  /** What another device did in the meantime makes it fail: how it is reported. */
  afterOtherDevice: RegExp
  needsMining?: true
}

/** Every command that a page can issue, by name. */
export const PAGE_COMMANDS: Record<string, PageCommand> = {
  start: {
    route: 'POST /api/mining/start',
    issue: (page) => page.actions.startMining(),
    done: /^Mining was started/,
    afterOtherDevice: /^Mining was not started: It has changed in the meantime/,
  },
  stop: {
    route: 'POST /api/mining/stop',
    issue: (page) => page.actions.stopMining(),
    done: /^Mining was stopped/,
    afterOtherDevice: /^Mining was not stopped: It has changed in the meantime/,
    needsMining: true,
  },
  claim: {
    route: 'POST /api/mining/claim',
    issue: (page) => page.actions.claimRewards(),
    done: /^Rewards Claimed Successfully/,
    afterOtherDevice: /^Failed to Claim Rewards/,
  },
  task: {
    route: 'POST /api/tasks/complete',
    issue: (page) => page.actions.claimTask('join_telegram'),
    done: /You have received the reward for this task/,
    afterOtherDevice: /^Already Claimed/,
  },
  code: {
    route: 'POST /api/referral/apply-code',
    issue: (page) => page.actions.applyCode('TESPABC234'),
    done: /Referral code applied successfully/,
    afterOtherDevice: /^Failed!: You have a referrer/,
  },
  milestone: {
    route: 'GET /api/referral/check-milestones',
    issue: (page) => page.actions.checkMilestones('check-reward'),
    done: /You have received 0.45 USDT/,
    afterOtherDevice: /You have received 0.45 USDT/,
  },
  profile: {
    route: 'PATCH /api/user/profile',
    issue: (page) =>
      page.actions.saveProfile({
        username: 'mai',
        email: 'mai@example.com',
        fullName: 'Mai Tran',
        phone: '',
      }),
    done: /^Profile updated/,
    afterOtherDevice: /^Profile updated/,
  },
  upload: {
    route: 'POST /api/user/kyc',
    issue: (page) => page.actions.submitDocument('passport', new File(['%PDF-'], 'scan.pdf')),
    done: /^KYC submitted/,
    afterOtherDevice: /^Failed to submit KYC/,
  },
}
