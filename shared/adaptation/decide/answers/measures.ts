/** Units by name, in the unit of their dimension. A month has no fixed number of days, so years are months. */
const UNITS: Readonly<Record<string, readonly [dimension: string, factor: number]>> = {
  mm: ['length', 0.001],
  millimetre: ['length', 0.001],
  millimeter: ['length', 0.001],
  cm: ['length', 0.01],
  centimetre: ['length', 0.01],
  centimeter: ['length', 0.01],
  m: ['length', 1],
  metre: ['length', 1],
  meter: ['length', 1],
  km: ['length', 1000],
  kilometre: ['length', 1000],
  kilometer: ['length', 1000],
  inch: ['length', 0.0254],
  inche: ['length', 0.0254],
  foot: ['length', 0.3048],
  feet: ['length', 0.3048],
  yard: ['length', 0.9144],
  mile: ['length', 1609.344],
  mg: ['mass', 1e-6],
  milligram: ['mass', 1e-6],
  g: ['mass', 0.001],
  gram: ['mass', 0.001],
  kg: ['mass', 1],
  kilogram: ['mass', 1],
  kilo: ['mass', 1],
  tonne: ['mass', 1000],
  pound: ['mass', 0.45359237],
  lb: ['mass', 0.45359237],
  ounce: ['mass', 0.028349523125],
  ml: ['volume', 0.001],
  millilitre: ['volume', 0.001],
  milliliter: ['volume', 0.001],
  cl: ['volume', 0.01],
  l: ['volume', 1],
  litre: ['volume', 1],
  liter: ['volume', 1],
  second: ['time', 1],
  sec: ['time', 1],
  minute: ['time', 60],
  min: ['time', 60],
  hour: ['time', 3600],
  h: ['time', 3600],
  day: ['time', 86_400],
  week: ['time', 604_800],
  month: ['months', 1],
  year: ['months', 12],
  decade: ['months', 120],
  century: ['months', 1200],
};

/** The dimension and the factor of a unit, in the singular or the plural; undefined if it is not known. */
export function unitOf(name: string): readonly [string, number] | undefined {
  const key = name.toLowerCase();
  const single = key.length > 2 ? key.replace(/ies$/, 'y').replace(/s$/, '') : key;
  if (Object.hasOwn(UNITS, key)) return UNITS[key];
  return Object.hasOwn(UNITS, single) ? UNITS[single] : undefined;
}
