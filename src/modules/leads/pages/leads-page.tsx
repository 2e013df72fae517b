import { ButtonLink } from '../../../platform/pages/components/button';
import { Notice } from '../../../platform/pages/components/notice';
import { EmptyState } from '../../../platform/pages/components/section';
import { isAdmin, SettingsPage, settingsPath } from '../../shell';
import { leadsPath } from './lead-paths';
import { LeadsBoard } from './leads-board';
import { LeadsTable } from './leads-table';
import type { LeadsPageProps } from './leads-page-props';
import { LeadsToolbar } from './leads-toolbar';

/** The leads of a workspace as a list or as a board by stage. */
export function LeadsPage(props: LeadsPageProps) {
  const { area, view, shown, done, refusal } = props;
  const isEmpty = 'list' in shown && shown.list.length === 0;
  return (
    <SettingsPage
      area={area}
      place=":mode/leads"
      title="Leads"
      done={done}
      actions={
        <>
          <ExportLink {...props} />
          <ButtonLink to={`${leadsPath(area)}/new`}>Add lead</ButtonLink>
        </>
      }
    >
      {refusal && (
        <Notice kind="danger" title="Some leads weren’t moved">
          {refusal}
        </Notice>
      )}
      <LeadsToolbar {...props} />
      {isEmpty ? (
        <NoLeads area={area} view={view} />
      ) : 'list' in shown ? (
        <LeadsTable {...props} shown={shown} />
      ) : (
        <LeadsBoard {...props} board={shown.board} />
      )}
    </SettingsPage>
  );
}

/** Exports the leads that the list or the board shows, on all of its pages. */
function ExportLink({ area, view, shown }: LeadsPageProps) {
  const isWhole = !view.isNarrowed && !view.get('stage');
  const total = 'list' in shown ? shown.total : shown.board.reduce((sum, column) => sum + column.total, 0);
  const count = total.toLocaleString(area.workspace.locale);
  return (
    <ButtonLink
      kind="secondary"
      to={view.path(`${leadsPath(area)}/export`, { view: '', sort: '', cursor: '' })}
    >
      {isWhole ? 'Export all' : `Export these ${count}`}
    </ButtonLink>
  );
}

function NoLeads({ area, view }: Pick<LeadsPageProps, 'area' | 'view'>) {
  if (view.isNarrowed || view.get('stage')) {
    return (
      <EmptyState
        title="No leads match"
        action={
          <ButtonLink kind="secondary" to={leadsPath(area)}>
            Show all leads
          </ButtonLink>
        }
      />
    );
  }
  return (
    <EmptyState
      title="No leads yet"
      action={
        isAdmin(area) && (
          <ButtonLink kind="secondary" to={settingsPath(area, `${area.mode}/imports`)}>
            Import leads
          </ButtonLink>
        )
      }
    >
      They appear here as soon as your website or an app sends one. You can also add one yourself, or import a
      file.
    </EmptyState>
  );
}
