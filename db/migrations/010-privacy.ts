import type { Knex } from 'knex'

/**
 * Account deletion. The row of a deleted member stays under a pseudonym, because ledger and teams
 * refer to it; a constraint keeps personal data out of it. Mails get the folded e-mail address of
 * their recipient, so that they can be found, and documents the time when their bytes were deleted.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table users
      add column "deletedAt" timestamptz,
      add constraint users_deleted_is_nobody check ("deletedAt" is null or (
        username = 'deleted:' || id and "usernameKey" = username
        and email = username and "emailKey" = username and password = ''
        and phone is null and "fullName" is null and avatar is null
        and "kycStatus" = 'unverified' and "kycDocumentType" is null
        and "kycDocumentUrl" is null and "kycVerifiedAt" is null
        and "referralCode" is null and "referralFrozenReason" is null));
    create index users_deleted_of_team on users ("referredBy", "deletedAt")
      where "deletedAt" is not null;

    alter table mails add column "recipientKey" text;
    update mails set "recipientKey" = lower(recipient);
    alter table mails alter column "recipientKey" set not null;
    create index mails_recipient on mails ("recipientKey");

    alter table kyc_documents add column "deletedAt" timestamptz;
    create index kyc_documents_held on kyc_documents ("decidedAt")
      where sealed is not null and "decidedAt" is not null;
  `)
}
