const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A wait as people say it, never shorter than it is: `45 seconds`, `15 minutes`, `1 hour`. */
export function durationInWords(seconds: number): string {
  if (seconds <= MINUTE) return counted(Math.ceil(seconds), 'second');
  if (seconds <= HOUR - MINUTE) return counted(Math.ceil(seconds / MINUTE), 'minute');
  return counted(Math.ceil(seconds / HOUR), 'hour');
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
