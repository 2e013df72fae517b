import type { ComponentChildren } from 'preact';
import { Link, type Path } from '../../../platform/pages/components/link';
import { usePage } from '../../../platform/pages/page-context';

export interface Bar {
  label: string;
  value: number;
  /** The list that the bar counts. */
  to?: Path;
}

interface ChartProps {
  /** What the bars are, for screen readers. */
  label: string;
  bars: readonly Bar[];
}

/** One bar below the other, each with its label and number. */
export function BarList({ label, bars }: ChartProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ul class="chart" aria-label={label}>
      {bars.map((bar) => (
        <li>
          <LinkIf to={bar.value > 0 ? bar.to : undefined}>
            <span>
              {bar.label} <strong>{bar.value}</strong>
            </span>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
              <rect x="0" y="0" width={(bar.value / most) * 100} height="1" />
            </svg>
          </LinkIf>
        </li>
      ))}
    </ul>
  );
}

function LinkIf({ to, children }: { to?: Path; children: ComponentChildren }) {
  return to ? <Link to={to}>{children}</Link> : <>{children}</>;
}

const WIDTH = 12;
const GAP = 2;
const HEIGHT = 100;

/** One bar beside the other, for what comes one after the other. The table beside it has the labels and numbers. */
export function ColumnChart({ label, bars }: ChartProps) {
  const { basePath } = usePage();
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <svg
      class="columns"
      viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="group"
      aria-label={label}
    >
      {bars.map((bar, index) => {
        const height = (bar.value / most) * HEIGHT;
        const column = (
          <rect x={index * WIDTH + GAP / 2} y={HEIGHT - height} width={WIDTH - GAP} height={height} />
        );
        if (!bar.to || bar.value === 0) return column;
        const name = `${bar.label}: ${bar.value}`;
        return (
          <a href={basePath + bar.to} aria-label={name}>
            <title>{name}</title>
            {column}
          </a>
        );
      })}
    </svg>
  );
}
