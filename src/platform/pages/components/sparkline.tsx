interface SparklineProps {
  /** What the numbers are, such as “New leads by day”. */
  label: string;
  points: readonly { label: string; value: number }[];
}

const STEP = 10;
const GAP = 3;
const HEIGHT = 40;
/** Marks a point without a value. */
const LEAST = 1;

/** Small columns beside a number. Screen readers get the numbers as text, and pointers each column's. */
export function Sparkline({ label, points }: SparklineProps) {
  const most = Math.max(1, ...points.map(({ value }) => value));
  const texts = points.map((point) => `${point.label}: ${point.value}`);
  return (
    <figure class="sparkline">
      <svg
        viewBox={`0 0 ${points.length * STEP - GAP} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        {points.map(({ value }, index) => {
          const height = LEAST + (value / most) * (HEIGHT - LEAST);
          return (
            <rect x={index * STEP} y={HEIGHT - height} width={STEP - GAP} height={height}>
              <title>{texts[index]}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="visually-hidden">
        {label}. {texts.join(', ')}
      </figcaption>
    </figure>
  );
}
