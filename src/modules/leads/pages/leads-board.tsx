import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { SelectField } from '../../../platform/pages/components/select-field';
import { Day } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import type { LeadView } from '../domain/lead';
import { leadPath, leadsPath } from './lead-paths';
import type { BoardColumn, LeadsPageProps } from './leads-page-props';

/**
 * One form around all columns: a form for each card would weigh too much. Where JavaScript runs, a card is also dragged, which
 * sends the same form.
 */
export function LeadsBoard({
  area,
  view,
  board,
  columns,
}: LeadsPageProps & { board: readonly BoardColumn[] }) {
  const base = leadsPath(area);
  return (
    <Form action={`${base}/move`} id="board" layout="free" label="Board">
      <input type="hidden" name="from" value={view.query()} />
      <div class="board-bar" hidden={view.isArchived}>
        <SelectField
          form={new FormInput()}
          name="stage"
          label="Move the selected leads to"
          options={board
            .filter(({ stage }) => !stage.archivedAt)
            .map(({ stage }) => ({ value: stage.key, label: stage.name }))}
        />
        <Button kind="secondary">Move</Button>
      </div>
      <div class="board">
        {board.map(({ stage, leads, total }) => (
          <section class="board-column" data-column={stage.key} aria-labelledby={`column-${stage.key}`}>
            <h2 id={`column-${stage.key}`}>
              {stage.name} <span class="count">{total.toLocaleString(area.workspace.locale)}</span>
            </h2>
            <ul>
              {leads.map((lead) => (
                <Card area={area} lead={lead} columns={columns} isFixed={view.isArchived} />
              ))}
            </ul>
            {total > leads.length && (
              <Link to={view.path(base, { view: '', stage: stage.key })}>
                {(total - leads.length).toLocaleString(area.workspace.locale)} more
                <span class="visually-hidden"> at {stage.name}</span>
              </Link>
            )}
          </section>
        ))}
      </div>
    </Form>
  );
}

function Card({
  area,
  lead,
  columns,
  isFixed,
}: Pick<LeadsPageProps, 'area' | 'columns'> & { lead: LeadView; isFixed: boolean }) {
  const { id, name, email, eventDate, guests } = lead;
  const facts = [
    eventDate && <Day on={eventDate} />,
    guests && (guests === 1 ? '1 guest' : `${guests} guests`),
    ...columns.map(({ cells }) => cells.get(id)),
  ].filter(Boolean);
  return (
    <li class="card" data-card={!isFixed}>
      {!isFixed && <input type="checkbox" name="lead" value={id} aria-label={`Select ${name ?? email}`} />}
      <div>
        <Link to={leadPath(area, id)}>
          <bdi>{name ?? email}</bdi>
        </Link>
        {facts.length > 0 && (
          <span class="quiet">{facts.flatMap((fact, index) => (index > 0 ? [' · ', fact] : [fact]))}</span>
        )}
      </div>
    </li>
  );
}
