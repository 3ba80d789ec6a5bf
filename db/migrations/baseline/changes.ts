/** The log of changes that statuses and wallets show, and the triggers that write it. */
export const CHANGES = `
  -- The log that gateways read each second (decision 17). The transaction that changes what a status or
  -- wallet shows writes the row. "userId" 0 stands for all members.
  create table member_changes (
    xid xid8 not null default pg_current_xact_id(),
    "userId" integer not null,
    "at" timestamptz not null default clock_timestamp()
  );
  create index member_changes_xid on member_changes (xid);

  -- The triggers name columns, so a statement that sets none of them costs nothing: a batch of credits
  -- writes no row. Balances change in post() only, which writes its row itself; pending rewards change with
  -- the status of a session and with a claim, which posts.
  create function log_member_change() returns trigger language plpgsql as $$
  begin
    insert into member_changes ("userId") values (new."userId");
    return null;
  end $$;
  create trigger mining_sessions_log_change
    after update of active, status, "hashRate", "startTime" on mining_sessions
    for each row execute function log_member_change();

  create function log_user_change() returns trigger language plpgsql as $$
  begin
    insert into member_changes ("userId") values (new.id);
    return null;
  end $$;
  create trigger users_log_change after update of "authEpoch", "miningBoost" on users
    for each row when (old."authEpoch" is distinct from new."authEpoch"
      or old."miningBoost" is distinct from new."miningBoost")
    execute function log_user_change();
  create trigger users_log_read after update of "readAnnouncement" on users
    for each row execute function log_user_change();

  -- Of statements over sessions or inboxes. A population that is inserted at once is one row.
  create function log_changed_members() returns trigger language plpgsql as $$
  begin
    if (select count(*) from added) > 1000 then
      insert into member_changes ("userId") values (0);
    else
      insert into member_changes ("userId") select "userId" from added;
    end if;
    return null;
  end $$;
  create trigger mining_sessions_log_new after insert on mining_sessions
    referencing new table as added for each statement execute function log_changed_members();
  create trigger inbox_log_new after insert on inbox
    referencing new table as added for each statement execute function log_changed_members();
  create trigger inbox_log_read after update on inbox
    referencing new table as added for each statement execute function log_changed_members();

  create function log_clock_change() returns trigger language plpgsql as $$
  begin
    insert into member_changes ("userId") values (0);
    return null;
  end $$;
  create trigger product_clock_log_change after update on product_clock
    for each row execute function log_clock_change();
`
