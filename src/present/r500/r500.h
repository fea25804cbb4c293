/* Radeon R500: streams of packets that show frames, their files, and what reads, checks and runs
 * them. The door for other folders. */
#ifndef PRESENT_R500_R500_H
#define PRESENT_R500_R500_H

#include "present/r500/dump.h"
#include "present/r500/file.h"
#include "present/r500/model.h"
#include "present/r500/submit.h"

#endif
