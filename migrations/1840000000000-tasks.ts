import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inShortLock } from '../src/platform/persistence/short-lock';

/** Tasks of leads and workspaces, and the members who want no email about theirs. */
export class Tasks1840000000000 implements MigrationInterface {
  /** Creating a table locks those that it refers to. An interrupted run can be repeated. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const key = 'workspace_id, mode';
    await inShortLock(runner, [
      `CREATE TABLE IF NOT EXISTS tasks (
        workspace_id uuid NOT NULL REFERENCES workspaces (id),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        id uuid NOT NULL,
        lead_id uuid,
        title text NOT NULL,
        notes text,
        due_on date,
        due_at timestamptz(3),
        -- due_at, or 09:00 and the end of due_on in the time zone that the workspace had when the day was set.
        announced_from timestamptz(3),
        overdue_at timestamptz(3),
        -- For the present due time.
        is_announced boolean NOT NULL,
        assignee_id uuid,
        status text NOT NULL CHECK (status IN ('open', 'done')),
        completed_at timestamptz(3),
        -- Type, id and name. It stays when the credential is revoked or the person leaves.
        completed_by json,
        archived_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        revision integer NOT NULL,
        PRIMARY KEY (workspace_id, mode, id),
        FOREIGN KEY (workspace_id, mode, lead_id) REFERENCES leads (workspace_id, mode, id),
        -- Nobody is left as an assignee who isn't a member.
        CONSTRAINT tasks_assignee_id_fkey FOREIGN KEY (workspace_id, assignee_id)
          REFERENCES memberships (workspace_id, user_id) ON DELETE SET NULL (assignee_id),
        CHECK (due_on IS NULL OR due_at IS NULL),
        CHECK ((announced_from IS NULL) = (due_on IS NULL AND due_at IS NULL)),
        CHECK ((overdue_at IS NULL) = (announced_from IS NULL)),
        CHECK ((completed_at IS NULL) = (status = 'open'))
      )`,
      `CREATE INDEX IF NOT EXISTS tasks_created_at ON tasks (${key}, created_at, id)`,
      `CREATE INDEX IF NOT EXISTS tasks_due ON tasks (${key}, announced_from, id)`,
      `CREATE INDEX IF NOT EXISTS tasks_open ON tasks (${key}, announced_from, id) WHERE status = 'open' AND archived_at IS NULL`,
      `CREATE INDEX IF NOT EXISTS tasks_lead ON tasks (${key}, lead_id, announced_from, id) WHERE lead_id IS NOT NULL`,
      // The end of a membership looks for the assignee in both modes.
      `CREATE INDEX IF NOT EXISTS tasks_assignee ON tasks (workspace_id, assignee_id, mode, announced_from, id)
        WHERE assignee_id IS NOT NULL`,
      `CREATE INDEX IF NOT EXISTS tasks_completed ON tasks (${key}, lead_id, completed_at, id)
        WHERE lead_id IS NOT NULL AND completed_at IS NOT NULL`,
      `CREATE INDEX IF NOT EXISTS tasks_unannounced ON tasks (announced_from)
        WHERE status = 'open' AND archived_at IS NULL AND NOT is_announced`,
      // The end of a membership changes what clients see.
      `CREATE OR REPLACE TRIGGER tasks_unassigned BEFORE UPDATE OF assignee_id ON tasks FOR EACH ROW
      WHEN (NEW.revision = OLD.revision AND NEW.assignee_id IS DISTINCT FROM OLD.assignee_id)
      EXECUTE FUNCTION count_revision()`,
      `CREATE TABLE IF NOT EXISTS task_mail_refusals (
        workspace_id uuid NOT NULL,
        user_id uuid NOT NULL,
        PRIMARY KEY (workspace_id, user_id),
        FOREIGN KEY (workspace_id, user_id) REFERENCES memberships (workspace_id, user_id) ON DELETE CASCADE
      )`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inShortLock(runner, ['DROP TABLE IF EXISTS task_mail_refusals, tasks']);
  }
}
