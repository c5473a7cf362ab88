// Puts the survey of a tree before the command that splits it.
import { survey, type Surveyed } from '../shell/survey/survey.ts';

export type Survey = Extract<Surveyed, { type: 'surveyed' }>;

/** The files below some places, as they are named from where we stand. */
export const surveyHere = (places: readonly string[]): Surveyed => survey(places, process.cwd());
