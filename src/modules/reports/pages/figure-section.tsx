import { ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import type { Path } from '../../../platform/pages/components/link';
import { Actions, Section } from '../../../platform/pages/components/section';
import { BarList, ColumnChart } from './charts';
import { type FigureTable, formatValue } from './figure-tables';

interface FigureSectionProps {
  table: FigureTable;
  intro?: string;
  /** For what comes one after the other. */
  isOverTime?: boolean;
  locale: string;
  download: Path;
}

/** A chart, the table of its numbers, and a link to the same as a file. */
export function FigureSection({ table, intro, isOverTime, locale, download }: FigureSectionProps) {
  const { title, columns, rows } = table;
  const [first, ...others] = columns;
  const Chart = isOverTime ? ColumnChart : BarList;
  if (rows.length === 0) {
    return (
      <Section title={title}>
        <p class="quiet">None in this period.</p>
      </Section>
    );
  }
  return (
    <Section title={title} intro={intro}>
      <Chart
        label={title}
        bars={rows.map(({ label, values, to }) => ({ label, value: Number(values[0] ?? 0), to }))}
      />
      <DataTable
        caption={title}
        hideCaption
        rows={rows}
        columns={[
          { title: first!.title, isHeader: true, cell: ({ label }) => label },
          ...others.map(({ title, kind }, index) => ({
            title,
            numeric: true,
            cell: ({ values }: (typeof rows)[number]) => formatValue(values[index] ?? null, kind, locale),
          })),
        ]}
      />
      <Actions>
        <ButtonLink kind="secondary" to={download} of={`of ${title}`}>
          CSV
        </ButtonLink>
      </Actions>
    </Section>
  );
}
