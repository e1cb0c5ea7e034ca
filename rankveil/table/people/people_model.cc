#include "rankveil/table/people/people_model.h"

namespace rankveil {
namespace {

// A few ways of life tie attributes together that have no direct reason to go together.
PeopleAttribute milieu() {
  return {"milieu",
          Shown::Hidden,
          0,
          {{"settled", 34}, {"striving", 28}, {"open", 22}, {"strained", 16}},
          {}};
}

PeopleAttribute gender() {
  return {"gender", Shown::Public, 0, {{"woman", 490}, {"man", 490}, {"nonbinary", 20}}, {}};
}

PeopleAttribute age_band() {
  return {"age_band",
          Shown::Public,
          0,
          {{"18-24", 150},
           {"25-29", 190},
           {"30-34", 180},
           {"35-39", 140},
           {"40-49", 170},
           {"50-59", 110},
           {"60+", 60}},
          {{"milieu",
            {{"settled", "18-24|25-29", 45},
             {"settled", "40-49|50-59|60+", 180},
             {"open", "18-24|25-29", 170},
             {"striving", "25-29|30-34", 150}}}}};
}

PeopleAttribute city() {
  return {"city",
          Shown::Public,
          0,
          {{"London", 170},
           {"Paris", 140},
           {"Berlin", 110},
           {"Madrid", 95},
           {"Rome", 85},
           {"Vienna", 70},
           {"Warsaw", 70},
           {"Amsterdam", 60},
           {"Stockholm", 55},
           {"Lisbon", 50},
           {"Dublin", 50},
           {"Athens", 45}},
          {{"milieu",
            {{"open", "Berlin|Amsterdam|Lisbon", 190},
             {"striving", "London|Paris|Dublin", 150},
             {"settled", "Rome|Warsaw|Vienna|Athens", 150},
             {"strained", "Athens|Madrid", 160}}}}};
}

PeopleAttribute education() {
  return {"education",
          Shown::Public,
          12,
          {{"secondary", 280},
           {"vocational", 210},
           {"some college", 130},
           {"bachelor", 230},
           {"master", 120},
           {"doctorate", 30}},
          {{"age_band",
            {{"18-24", "secondary|some college", 230},
             {"18-24", "master", 20},
             {"18-24", "doctorate", 0},
             {"25-29", "doctorate", 40},
             {"50-59|60+", "secondary|vocational", 170},
             {"50-59|60+", "master|some college", 60}}},
           {"milieu",
            {{"striving", "bachelor|master|doctorate", 220},
             {"open", "bachelor|master", 140},
             {"strained", "secondary|vocational", 190},
             {"strained", "master|doctorate", 25}}}}};
}

PeopleAttribute occupation() {
  return {"occupation",
          Shown::Public,
          15,
          {{"student", 70},
           {"sales", 110},
           {"trades", 105},
           {"administration", 100},
           {"engineering", 85},
           {"teaching", 80},
           {"software", 75},
           {"hospitality", 75},
           {"nursing", 70},
           {"management", 65},
           {"finance", 50},
           {"arts", 40},
           {"law", 28},
           {"medicine", 27},
           {"retired", 20}},
          {{"age_band",
            {{"18-24", "student", 650},
             {"18-24", "management|law|medicine", 12},
             {"18-24|25-29|30-34|35-39|40-49", "retired", 0},
             {"25-29", "student", 160},
             {"30-34|35-39|40-49|50-59|60+", "student", 12},
             {"40-49|50-59", "management", 220},
             {"60+", "retired", 4000}}},
           {"education",
            {{"secondary|vocational", "law|medicine|teaching|engineering|software", 12},
             {"secondary|vocational", "trades|hospitality|sales", 190},
             {"bachelor|master|doctorate", "trades|hospitality", 20},
             {"master", "law|engineering|software|finance|teaching", 210},
             {"doctorate", "medicine|law|teaching", 700}}},
           {"gender",
            {{"woman", "nursing|teaching", 190},
             {"woman", "trades|engineering|software", 45},
             {"man", "nursing", 30},
             {"nonbinary", "arts|software", 230}}}}};
}

PeopleAttribute industry() {
  return {"industry",
          Shown::Public,
          20,
          {{"retail", 150},
           {"health", 130},
           {"public sector", 120},
           {"manufacturing", 110},
           {"technology", 110},
           {"education", 100},
           {"construction", 80},
           {"finance", 70},
           {"hospitality", 60},
           {"media", 40},
           {"energy", 30}},
          {{"occupation",
            {{"nursing|medicine", "health", 4000},
             {"teaching|student", "education", 1800},
             {"software", "technology", 1500},
             {"engineering", "manufacturing|technology|energy", 500},
             {"trades", "construction|manufacturing", 900},
             {"sales", "retail", 700},
             {"hospitality", "hospitality", 4000},
             {"finance", "finance", 2500},
             {"law|administration", "public sector|finance", 400},
             {"arts", "media", 2500}}},
           {"city", {{"London", "finance", 250}, {"Berlin|Dublin|Stockholm", "technology", 180}}}}};
}

PeopleAttribute languages() {
  return {"languages",
          Shown::Public,
          0,
          {{"one", 380}, {"two", 400}, {"three", 160}, {"four or more", 60}},
          {{"city",
            {{"London|Dublin", "one", 280},
             {"Amsterdam|Stockholm|Vienna", "one", 25},
             {"Amsterdam|Stockholm|Vienna", "three|four or more", 190}}},
           {"education",
            {{"secondary|vocational", "three|four or more", 35},
             {"master|doctorate", "three|four or more", 240}}}}};
}

PeopleAttribute height() {
  return {"height",
          Shown::Public,
          25,
          {{"below 155", 40},
           {"155-164", 220},
           {"165-174", 340},
           {"175-184", 280},
           {"185-194", 105},
           {"195 and up", 15}},
          {{"gender",
            {{"woman", "below 155|155-164", 250},
             {"woman", "175-184", 22},
             {"woman", "185-194|195 and up", 3},
             {"man", "below 155|155-164", 12},
             {"man", "175-184|185-194|195 and up", 180}}},
           {"city",
            {{"Amsterdam|Stockholm", "175-184|185-194|195 and up", 160},
             {"Lisbon|Rome|Athens", "185-194|195 and up", 55}}}}};
}

PeopleAttribute goal() {
  return {
      "goal",
      Shown::Public,
      0,
      {{"long-term", 420}, {"unsure", 220}, {"casual", 180}, {"marriage", 110}, {"friends", 70}},
      {{"age_band",
        {{"18-24", "casual|unsure", 200},
         {"18-24", "marriage", 30},
         {"30-34|35-39", "long-term|marriage", 160},
         {"60+", "friends", 350}}},
       {"milieu", {{"settled", "marriage", 220}, {"open", "casual", 200}}}}};
}

PeopleAttribute relocates() {
  return {"relocates",
          Shown::Public,
          10,
          {{"no", 640}, {"yes", 360}},
          {{"age_band", {{"18-24|25-29", "yes", 210}, {"50-59|60+", "yes", 40}}},
           {"milieu", {{"settled", "yes", 35}, {"open|striving", "yes", 150}}}}};
}

PeopleAttribute religion() {
  return {"religion",
          Shown::Private,
          20,
          {{"none", 400},
           {"catholic", 270},
           {"protestant", 120},
           {"muslim", 75},
           {"orthodox", 50},
           {"jewish", 25},
           {"hindu", 22},
           {"buddhist", 18},
           {"other", 20}},
          {{"city",
            {{"Rome|Madrid|Lisbon|Warsaw|Dublin", "catholic", 330},
             {"Athens", "orthodox", 4000},
             {"Athens", "catholic|protestant", 10},
             {"Berlin|Amsterdam|Stockholm", "none|protestant", 210},
             {"Berlin|Amsterdam|Stockholm", "catholic", 30},
             {"London|Paris", "muslim|jewish|hindu", 220}}},
           {"age_band", {{"18-24|25-29", "none", 160}, {"50-59|60+", "none", 55}}},
           {"milieu", {{"settled", "none", 50}, {"open", "none|buddhist|other", 210}}}}};
}

PeopleAttribute income() {
  return {"income",
          Shown::Private,
          30,
          {{"below 15k", 130},
           {"15k-25k", 200},
           {"25k-40k", 270},
           {"40k-60k", 200},
           {"60k-80k", 100},
           {"80k-120k", 65},
           {"120k and up", 35}},
          {{"occupation",
            {{"student", "below 15k", 1600},
             {"student", "60k-80k|80k-120k|120k and up", 4},
             {"hospitality|arts", "below 15k|15k-25k", 260},
             {"sales|administration|trades|nursing|retired", "15k-25k|25k-40k", 190},
             {"sales|administration|trades|nursing|retired", "80k-120k|120k and up", 20},
             {"teaching", "25k-40k|40k-60k", 250},
             {"engineering|software", "40k-60k|60k-80k|80k-120k", 320},
             {"finance|law|management", "60k-80k|80k-120k|120k and up", 420},
             {"medicine", "80k-120k|120k and up", 1100}}},
           {"age_band",
            {{"18-24", "80k-120k|120k and up", 12},
             {"25-29", "80k-120k|120k and up", 40},
             {"40-49|50-59", "60k-80k|80k-120k|120k and up", 190}}},
           {"education",
            {{"secondary|vocational", "below 15k|15k-25k", 150},
             {"master|doctorate", "60k-80k|80k-120k|120k and up", 200}}}}};
}

PeopleAttribute politics() {
  return {"politics",
          Shown::Private,
          28,
          {{"left", 220},
           {"green", 150},
           {"centre", 230},
           {"liberal", 120},
           {"conservative", 200},
           {"none", 80}},
          {{"religion",
            {{"none|buddhist", "left|green", 160},
             {"catholic|protestant|orthodox", "conservative|centre", 170}}},
           {"city",
            {{"Berlin|Amsterdam|Stockholm", "green|left", 180},
             {"Warsaw|Rome|Vienna", "conservative", 180}}},
           {"milieu",
            {{"open", "left|green", 230},
             {"open", "conservative", 25},
             {"settled", "conservative|centre", 170},
             {"striving", "liberal", 260},
             {"strained", "none", 350}}}}};
}

PeopleAttribute smokes() {
  return {
      "smokes",
      Shown::Private,
      0,
      {{"never", 560}, {"formerly", 170}, {"occasionally", 130}, {"daily", 140}},
      {{"education", {{"secondary|vocational", "daily", 190}, {"master|doctorate", "daily", 35}}},
       {"age_band",
        {{"18-24", "formerly", 25}, {"18-24", "occasionally", 170}, {"60+", "formerly", 250}}},
       {"milieu", {{"strained", "daily", 230}, {"open", "occasionally", 230}}}}};
}

PeopleAttribute drinks() {
  return {"drinks",
          Shown::Private,
          0,
          {{"never", 130}, {"rarely", 250}, {"socially", 430}, {"often", 150}, {"daily", 40}},
          {{"religion", {{"muslim", "never", 1500}, {"none", "socially|often", 140}}},
           {"smokes", {{"daily", "often|daily", 230}, {"never", "often|daily", 60}}},
           {"age_band", {{"50-59|60+", "daily", 260}, {"18-24|25-29", "socially|often", 140}}}}};
}

PeopleAttribute orientation() {
  return {
      "orientation",
      Shown::Private,
      22,
      {{"straight", 850}, {"bisexual", 65}, {"gay", 50}, {"questioning", 20}, {"asexual", 15}},
      {{"gender",
        {{"nonbinary", "straight", 10},
         {"nonbinary", "bisexual|questioning|asexual", 350},
         {"woman", "bisexual", 160}}},
       {"age_band", {{"18-24|25-29", "bisexual|questioning", 190}, {"50-59|60+", "bisexual", 35}}},
       {"milieu", {{"open", "bisexual|gay", 230}, {"settled", "bisexual|gay", 50}}}}};
}

PeopleAttribute has_kids() {
  return {
      "has_kids",
      Shown::Private,
      0,
      {{"none", 560}, {"one", 190}, {"two", 180}, {"three or more", 70}},
      {{"age_band",
        {{"18-24", "one", 9},
         {"18-24", "two|three or more", 2},
         {"25-29", "one|two|three or more", 25},
         {"35-39", "one|two", 220},
         {"40-49|50-59|60+", "one|two|three or more", 420}}},
       {"milieu", {{"settled", "two|three or more", 210}, {"open", "one|two|three or more", 40}}},
       {"religion", {{"muslim|catholic|orthodox", "three or more", 180}}}}};
}

PeopleAttribute health() {
  return {"health",
          Shown::Private,
          0,
          {{"excellent", 300},
           {"good", 420},
           {"chronic illness", 110},
           {"mental illness", 95},
           {"disability", 50},
           {"recovering", 25}},
          {{"age_band",
            {{"18-24|25-29", "excellent|mental illness", 160},
             {"18-24|25-29", "chronic illness", 30},
             {"50-59|60+", "chronic illness|disability", 310},
             {"50-59|60+", "excellent", 45}}},
           {"smokes", {{"daily", "chronic illness|recovering", 190}, {"daily", "excellent", 45}}},
           {"milieu", {{"strained", "mental illness|recovering|disability", 210}}}}};
}

PeopleAttribute drugs() {
  return {"drugs",
          Shown::Private,
          0,
          {{"no", 830}, {"yes", 170}},
          {{"smokes", {{"occasionally|daily", "yes", 240}, {"never", "yes", 45}}},
           {"milieu", {{"open", "yes", 240}, {"settled", "yes", 35}}},
           {"age_band", {{"40-49|50-59|60+", "yes", 35}}}}};
}

PeopleAttribute past_partners() {
  return {"past_partners",
          Shown::Private,
          15,
          {{"none", 90}, {"one", 170}, {"2-3", 290}, {"4-6", 240}, {"7-10", 120}, {"more", 90}},
          {{"age_band",
            {{"18-24", "none|one", 280},
             {"18-24", "7-10|more", 25},
             {"40-49|50-59|60+", "none", 25},
             {"40-49|50-59", "7-10|more", 170}}},
           {"religion", {{"muslim|orthodox", "none|one", 210}, {"none", "7-10|more", 140}}},
           {"milieu", {{"open", "7-10|more", 230}, {"settled", "one|2-3", 160}}}}};
}

}  // namespace

const std::vector<PeopleAttribute>& people_attributes() {
  static const std::vector<PeopleAttribute> attributes = {
      milieu(),
      // public
      gender(),
      age_band(),
      city(),
      education(),
      occupation(),
      industry(),
      languages(),
      height(),
      goal(),
      relocates(),
      // private
      religion(),
      income(),
      politics(),
      smokes(),
      drinks(),
      orientation(),
      has_kids(),
      health(),
      drugs(),
      past_partners(),
  };
  return attributes;
}

}  // namespace rankveil
